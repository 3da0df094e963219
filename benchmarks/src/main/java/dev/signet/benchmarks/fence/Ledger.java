package dev.signet.benchmarks.fence;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.benchmarks.server.Arena;
import dev.signet.fence.jdbc.JdbcFence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Ten thousand accounts, a pool of connections to them, and a fence that was sealed for the first term. */
final class Ledger implements AutoCloseable {

    private static final int ACCOUNTS = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    final HikariDataSource pool;
    final JdbcFence fence;

    Ledger(Arena arena, String name, int connections, Form form) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arena.newDatabase(name));
        config.setMaximumPoolSize(connections);
        config.setConnectionInitSql(form.session(stamp(1)));
        pool = new HikariDataSource(config);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE account (id integer PRIMARY KEY, balance bigint NOT NULL)");
            statement.execute(
                    "CREATE TABLE entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payer integer NOT NULL,"
                            + " payee integer NOT NULL, amount bigint NOT NULL)");
            statement.execute("INSERT INTO account SELECT n, 0 FROM generate_series(1, " + ACCOUNTS + ") n");
            statement.execute("VACUUM ANALYZE account");
        }
        fence = JdbcFence.open(pool, ResourceName.of("ledger"), form.options());
        fence.init(stamp(1).role(), stamp(1).storeId());
        seal(1);
    }

    static Stamp stamp(long token) {
        return new Stamp(Role.of("payments"), FencingToken.of(token), new TermId(7, token), new StoreId("store"));
    }

    /** Asks until it is sealed. */
    void seal(long token) {
        while (!(fence.seal(stamp(token), PATIENCE).toCompletableFuture().join() instanceof Answer.Done)) {
            Thread.onSpinWait();
        }
    }

    /** The transaction that is measured: from one account to another, by three statements. */
    static void pay(Connection connection) throws SQLException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int one = random.nextInt(1, ACCOUNTS);
        int two = random.nextInt(one + 1, ACCOUNTS + 1); // in this order, so that no two wait for each other
        update(connection, one, -1);
        update(connection, two, 1);
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO entry (payer, payee, amount) VALUES (?, ?, 1)")) {
            insert.setInt(1, one);
            insert.setInt(2, two);
            insert.executeUpdate();
        }
    }

    private static void update(Connection connection, int account, int amount) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?")) {
            update.setInt(1, amount);
            update.setInt(2, account);
            update.executeUpdate();
        }
    }

    @Override
    public void close() {
        fence.close();
        pool.close();
    }
}
