package dev.signet.fence.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection for as long as it must not wait inside SQLite, where a busy handler that backs off would lose to
 * those who ask more often.
 */
final class Quick implements AutoCloseable {

    private static final int FULL = 2;

    private final Connection connection;
    private final String busyTimeout;
    private String synchronous = "";

    Quick(Connection connection) throws SQLException {
        this.connection = connection;
        this.busyTimeout = Sqlite.text(connection, "PRAGMA busy_timeout").orElse("0");
        if (!busyTimeout.equals("0")) {
            Sqlite.text(connection, "PRAGMA busy_timeout = 0");
        }
    }

    /** From here to the close a commit is on disk when it is answered, whatever the application chose for its own. */
    void durable() throws SQLException {
        String chosen = Sqlite.text(connection, "PRAGMA main.synchronous").orElse("0");
        if (Integer.parseInt(chosen) < FULL) {
            synchronous = chosen;
            Sqlite.execute(connection, "PRAGMA main.synchronous = FULL");
        }
    }

    void retry(Deadline deadline, Deadline.Statement statement) throws SQLException {
        deadline.retry(statement, Sqlite::isBusy, Deadline.PATIENT_NANOS);
    }

    /**
     * Runs it in a write transaction of its own, on a connection with autocommit, and rolls back if it throws.
     *
     * @throws UnclearCommitException if it may have been committed
     */
    void immediately(Deadline deadline, Deadline.Statement body) throws SQLException {
        deadline.retry(() -> Sqlite.execute(connection, "BEGIN IMMEDIATE"), Sqlite::isBusy, Deadline.EAGER_NANOS);
        boolean committed = false;
        try {
            body.run();
            Sqlite.commit(() -> Sqlite.execute(connection, "COMMIT"), deadline);
            committed = true;
        } finally {
            if (!committed) {
                rollback();
            }
        }
    }

    private void rollback() {
        try {
            Sqlite.execute(connection, "ROLLBACK");
        } catch (SQLException e) {
            // it has rolled back by itself, as it does on a full disk; or the connection is beyond use, which ends it
            // too
        }
    }

    @Override
    public void close() throws SQLException {
        if (!busyTimeout.equals("0")) {
            Sqlite.text(connection, "PRAGMA busy_timeout = " + busyTimeout);
        }
        if (!synchronous.isEmpty()) {
            Sqlite.execute(connection, "PRAGMA main.synchronous = " + synchronous);
        }
    }
}
