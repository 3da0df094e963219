package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.fence.Refusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * What differs from database to database. Each is stateless and thread-safe; connections come from the caller, who
 * closes them.
 */
interface Dialect {

    /** A connection, waited for where opening one may fail as busy. */
    Connection connect(DataSource source, Deadline deadline) throws SQLException;

    /** @throws SQLException if this connection leads to something that cannot carry a fence; the message says why */
    void accept(Connection connection) throws SQLException;

    /** Makes the row, or finds it made for the same role and store; the row that stands is returned. */
    FenceRow init(Connection connection, ResourceName resource, Role role, StoreId storeId, Deadline deadline)
            throws SQLException;

    /** The row, without touching it or waiting for anybody. */
    Optional<FenceRow> look(Connection connection, ResourceName resource) throws SQLException;

    /**
     * Raises in a transaction of its own, durably, on a connection with autocommit.
     *
     * @throws UnclearCommitException if the commit was sent and not answered
     */
    Raised raise(Connection connection, ResourceName resource, Stamp stamp, long maxJump, Deadline deadline)
            throws SQLException;

    /** Begins, on a connection with autocommit, a transaction that no seal can pass. */
    void begin(Connection connection, Deadline deadline) throws SQLException;

    /** Makes the open transaction one that no seal can pass until it ends, and reads the row as it then stands. */
    Optional<FenceRow> check(Connection connection, ResourceName resource) throws SQLException;

    /** Why a write with this stamp must not commit beside this row; empty if it may. */
    default Optional<Refusal> judge(Optional<FenceRow> row, Stamp stamp) {
        return row.isEmpty() ? Optional.of(Refusal.NOT_INITIALISED) : row.get().refuses(stamp);
    }

    /** @throws IllegalStateException if there is no open transaction to protect */
    void requireTransaction(Connection connection) throws SQLException;

    /** Whether a transaction was open in the database, whatever the driver believes. One is open afterwards. */
    boolean hadTransaction(Connection connection) throws SQLException;

    /** Remembers which transaction this is. */
    void mark(Connection connection) throws SQLException;

    /** Whether this still is the transaction that was marked, with all that it wrote. */
    boolean isMarked(Connection connection);

    /**
     * Commits, and waits for readers where it must.
     *
     * @throws UnclearCommitException if it may have been committed
     */
    void commit(Connection connection, Deadline deadline) throws SQLException;

    /** Whether the same transaction, run again from its start, may well succeed. */
    boolean isTransient(SQLException failure);

    /** Has the database itself refuse unstamped and outdated writes to a table. */
    void protect(Connection connection, ResourceName resource, String table, Deadline deadline) throws SQLException;

    void unprotect(Connection connection, ResourceName resource, String table, Deadline deadline) throws SQLException;

    List<ProtectedTable> protectedTables(Connection connection) throws SQLException;

    /** What remains open with this database, in sentences. */
    List<String> holes();

    /**
     * What the conditional update came to.
     *
     * @param row the row as it stands after it; empty if there is none
     */
    record Raised(boolean done, Optional<FenceRow> row) {}
}
