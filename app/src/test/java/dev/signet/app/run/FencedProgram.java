package dev.signet.app.run;

import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.fence.jdbc.JdbcFence;
import dev.signet.store.jdbc.DriverDataSource;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;

/** Writes rows to a ledger until it is refused, under the term that its environment tells of. */
final class FencedProgram {

    private FencedProgram() {}

    /** @param arguments the database and a name to write */
    public static void main(String[] arguments) throws SQLException, InterruptedException {
        Map<String, String> term = System.getenv();
        Stamp stamp = new Stamp(
                Role.of(term.get("SIGNET_ROLE")),
                FencingToken.of(Long.parseLong(term.get("SIGNET_TOKEN"))),
                TermId.parse(term.get("SIGNET_TERM_ID")),
                new StoreId(term.get("SIGNET_STORE_ID")));
        try (JdbcFence fence = JdbcFence.open(DriverDataSource.of(arguments[0]), ResourceName.of("ledger"))) {
            while (true) {
                fence.inTransaction(stamp, connection -> {
                    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO ledger VALUES (?, ?)")) {
                        insert.setString(1, arguments[1]);
                        insert.setLong(2, stamp.token().value());
                        return insert.executeUpdate();
                    }
                });
                Thread.sleep(200);
            }
        }
    }
}
