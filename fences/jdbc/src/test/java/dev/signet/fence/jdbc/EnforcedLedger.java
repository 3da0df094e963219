package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Ledger.LATER;
import static dev.signet.fence.jdbc.Ledger.NEW;
import static dev.signet.fence.jdbc.Ledger.OLD;
import static dev.signet.fence.jdbc.Ledger.RESOURCE;
import static dev.signet.fence.jdbc.Ledger.ROLE;
import static dev.signet.fence.jdbc.Ledger.STORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.signet.Answer;
import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.fence.FenceView;
import dev.signet.fence.SealRefusal;
import dev.signet.servers.PostgresServer;
import dev.signet.servers.Servers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/** A ledger that a PostgreSQL server guards by itself, and connections that know nothing of Signet. */
final class EnforcedLedger implements AutoCloseable {

    final PostgresServer server;
    final String database;
    final LentDatabase source;
    final JdbcFence fence;
    private final Dialect dialect;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** Two tables, {@code ledger} not yet protected; its fence sealed for the old term. */
    EnforcedLedger(Dialect dialect) throws SQLException {
        this(Servers.postgres(), dialect);
    }

    EnforcedLedger(PostgresServer server, Dialect dialect) throws SQLException {
        this.server = server;
        this.dialect = dialect;
        source = new LentDatabase(server);
        open.push(source);
        database = source.name();
        fence = fence(RESOURCE);
        run("CREATE TABLE ledger (what text PRIMARY KEY, amount bigint)");
        run("CREATE TABLE free (what text)");
        fence.init(ROLE, STORE);
        sealed(OLD);
    }

    /** Row 'a' of the old term, row 'b' of the new one, which is current. */
    static EnforcedLedger guarded(Dialect dialect) throws SQLException {
        return guarded(Servers.postgres(), dialect);
    }

    static EnforcedLedger guarded(PostgresServer server, Dialect dialect) throws SQLException {
        EnforcedLedger ledger = new EnforcedLedger(server, dialect);
        ledger.fence.protect("ledger");
        ledger.fence.protect("ledger");
        ledger.run(OLD, "INSERT INTO ledger VALUES ('a', 1)");
        ledger.sealed(NEW);
        ledger.run(NEW, "INSERT INTO ledger VALUES ('b', 1)");
        return ledger;
    }

    JdbcFence fence(ResourceName resource) {
        JdbcFence made = new JdbcFence(
                source, resource, JdbcFenceOptions.DEFAULTS.withWriteTimeout(Duration.ofSeconds(2)), dialect);
        open.push(made::close);
        return made;
    }

    Answer<FenceView, SealRefusal> seal(Stamp stamp, Duration timeout) {
        return fence.seal(stamp, timeout).toCompletableFuture().join();
    }

    void sealed(Stamp stamp) {
        assertThat(seal(stamp, LATER)).isInstanceOf(Answer.Done.class);
    }

    Connection connect() throws SQLException {
        Connection connection = source.getConnection();
        open.push(connection);
        return connection;
    }

    /** Open, and carries the stamp by the hand of who wrote it there: nothing has looked at it yet. */
    Connection carrying(Stamp stamp, int isolation) throws SQLException {
        Connection connection = connect();
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        carry(connection, stamp);
        return connection;
    }

    static void carry(Connection connection, Stamp stamp) throws SQLException {
        execute(
                connection,
                "SELECT set_config('signet.token', '" + stamp.token() + "', true), set_config('signet.term_id', '"
                        + stamp.termId().secret() + "', true)");
    }

    static void execute(Connection connection, String sql) throws SQLException {
        Postgres.execute(connection, sql);
    }

    /** As someone types it, each statement a transaction. */
    void run(String sql) throws SQLException {
        try (Connection connection = source.getConnection()) {
            execute(connection, sql);
        }
    }

    /** One transaction, as the refusal of an unstamped one says it. */
    void run(Stamp stamp, String... statements) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, check(stamp));
            for (String sql : statements) {
                execute(connection, sql);
            }
            connection.commit();
        }
    }

    /** With an environment in which psql comes here. */
    ProcessBuilder command(Stamp stamp, String... command) {
        Map<String, String> here = Map.of(
                "PGHOST", "127.0.0.1", "PGPORT", "" + server.port(), "PGUSER", "postgres", "PGDATABASE", database);
        return Shell.command(stamp, here, command);
    }

    static String check(Stamp stamp) {
        return "SELECT signet_check('" + RESOURCE + "', " + stamp.token() + ", '"
                + stamp.termId().secret() + "')";
    }

    /** The statement without a stamp, at once and as the last of a transaction. */
    void refused(String kind, String sql) throws SQLException {
        refused(kind, sql, () -> run(sql));
    }

    /** All of these without a stamp. */
    void unstamped(String... writes) throws SQLException {
        for (String sql : writes) {
            refused("NO_STAMP", sql);
        }
    }

    /** A transaction that carries this stamp, however it came by it. */
    void refused(String kind, Stamp stamp, String sql) throws SQLException {
        refused(kind, sql, () -> {
            try (Connection connection = carrying(stamp, Connection.TRANSACTION_READ_COMMITTED)) {
                execute(connection, sql);
                connection.commit();
            }
        });
    }

    private void refused(String kind, String what, Deadline.Statement act) throws SQLException {
        String before = content();
        Throwable failed = catchThrowable(act::run);
        assertThat(failed).as(what).isInstanceOf(SQLException.class).hasMessageContaining("signet: " + kind + ": ");
        assertThat(content()).as("after " + what).isEqualTo(before);
    }

    String content() throws SQLException {
        return text(
                "SELECT coalesce(string_agg(what || ' ' || coalesce(amount, 0), ', ' ORDER BY what), '') FROM ledger");
    }

    String text(String query) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return Postgres.text(connection, query);
        }
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                // what a story broke closes as it can
                continue;
            }
        }
    }
}
