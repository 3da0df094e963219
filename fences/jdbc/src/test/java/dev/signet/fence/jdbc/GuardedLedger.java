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
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;

/** A ledger that a database server guards by itself, and connections that know nothing of Signet. */
abstract class GuardedLedger implements AutoCloseable {

    final DataSource source;
    final JdbcFence fence;
    private final Dialect dialect;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    GuardedLedger(DataSource source, AutoCloseable last, Dialect dialect) {
        this.source = source;
        this.dialect = dialect;
        open.push(last);
        fence = fence(RESOURCE);
    }

    /** Two tables, {@code ledger} not yet protected; its fence sealed for the old term. */
    final void make(String ledger, String free) throws SQLException {
        run(ledger);
        run(free);
        fence.init(ROLE, STORE);
        sealed(OLD);
    }

    /** Row 'a' of the old term, row 'b' of the new one, which is current. */
    final void guard() throws SQLException {
        fence.protect("ledger");
        fence.protect("ledger");
        run(OLD, "INSERT INTO ledger VALUES ('a', 1)");
        sealed(NEW);
        run(NEW, "INSERT INTO ledger VALUES ('b', 1)");
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
        execute(connection, carry(stamp));
        return connection;
    }

    /** By which a session that knows nothing of Signet says under which term it writes. */
    abstract String carry(Stamp stamp);

    /** By which a transaction has a stamp looked at. */
    abstract String check(Stamp stamp);

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
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

    static CompletableFuture<Void> started(Deadline.Statement act) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                act.run();
                done.complete(null);
            } catch (SQLException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return done;
    }

    /** Whether it waits for a lock, or has ended without. */
    boolean isHeldUp(CompletableFuture<?> act) throws SQLException {
        while (!act.isDone()) {
            if (isAnybodyWaiting()) {
                return true;
            }
        }
        return false;
    }

    /** For a lock, in this database. */
    abstract boolean isAnybodyWaiting() throws SQLException;

    /** Of the ledger, sorted. */
    abstract String content() throws SQLException;

    /** The first column of the first row. */
    abstract String text(String query) throws SQLException;

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
