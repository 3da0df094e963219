package dev.signet.app.run;

import dev.signet.app.Ada;
import dev.signet.app.Sql;
import dev.signet.servers.DatabaseServer;
import dev.signet.servers.PostgresServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The program knows nothing of Signet; the database refuses whoever does not lead. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
final class PostgresFenceTest extends ServerFence {

    /** What was there at the start, in the words of the page on this fence. */
    private static final String WRITER =
            "export PGOPTIONS=\"-c signet.token=$SIGNET_TOKEN -c signet.term_id=$SIGNET_TERM_ID\";"
                    + " while psql -q -c \"INSERT INTO ledger VALUES ('$0', $SIGNET_TOKEN)\"; do sleep 0.2; done; exit 1";

    private final PostgresServer server = Ada.postgres();

    @Override
    DatabaseServer server() {
        return server;
    }

    @Override
    void prepare(Map<String, String> environment) throws IOException {
        server.createUser("writer", "of-writer");
        server.execute("ALTER DATABASE bank OWNER TO ada");
        for (String sql : List.of(
                "CREATE TABLE ledger (writer text, token bigint)",
                "ALTER TABLE ledger OWNER TO ada",
                "ALTER SCHEMA public OWNER TO ada",
                "GRANT INSERT ON ledger TO writer")) {
            Sql.execute(server.jdbcUrl("bank"), sql);
        }
        terminal().done(environment, "fence", "init", "--role", Terminal.ROLE);
        terminal().done(environment, "fence", "protect", "--table", "ledger");
    }

    @Override
    List<String> writer(String name) {
        return List.of("sh", "-c", WRITER, name);
    }

    @Override
    Map<String, String> writersEnvironment() {
        return Map.of(
                "PGHOST", "127.0.0.1",
                "PGPORT", "" + server.port(),
                "PGDATABASE", "bank",
                "PGUSER", "writer",
                "PGPASSWORD", "of-writer");
    }
}
