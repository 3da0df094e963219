package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What differs from database to database. Each is stateless and thread-safe; connections come from the caller, who
 * closes them.
 */
interface Dialect {

    /** @throws SQLException if this connection leads to something that cannot carry a fence; the message says why */
    void accept(Connection connection) throws SQLException;

    /** Makes the row, or finds it made, for whatever role and store; the row that stands is returned. */
    FenceView init(Connection connection, ResourceName resource, Role role, StoreId storeId, Deadline deadline)
            throws SQLException;

    /**
     * Binds the row to this role and store as if no term had ever sealed it, under the lock that a seal takes.
     *
     * @param reason kept in the database, with who it was
     */
    default void reset(
            Connection connection, ResourceName resource, Role role, StoreId storeId, String reason, Deadline deadline)
            throws SQLException {
        throw new SQLException("a fence on this database cannot be reset by Signet; it keeps no record of who did");
    }

    /** The row, without touching it or waiting for anybody; without notes. */
    Optional<FenceView> look(Connection connection, ResourceName resource) throws SQLException;

    /**
     * Raises in a transaction of its own, durably, on a connection with autocommit.
     *
     * @throws UnclearCommitException if the commit was sent and not answered
     */
    Raised raise(Connection connection, ResourceName resource, Stamp stamp, long maxJump, Deadline deadline)
            throws SQLException;

    /** By which the server knows a connection; empty where it could not tell who keeps it waiting. */
    default OptionalLong session(Connection connection) throws SQLException {
        return OptionalLong.empty();
    }

    /**
     * Who keeps a raise waiting, and has what it waits for: not who waits for it as well.
     *
     * @param waiting the {@link #session} of the raise
     */
    default List<Blocker> blockers(Connection other, long waiting) throws SQLException {
        return List.of();
    }

    /** Ends a session, and rolls back its transaction. Nothing happens if it is gone. */
    default void end(Connection other, Blocker blocker) throws SQLException {}

    /** Begins, on a connection with autocommit, a transaction that no seal can pass once the stamp was admitted. */
    void begin(Connection connection, Deadline deadline) throws SQLException;

    /**
     * Makes the open transaction one that no seal can pass until it ends, and judges the stamp by the row as it then stands.
     * The transaction is of our own, so that nobody sets savepoints or prepares it.
     */
    Verdict admit(Connection connection, ResourceName resource, Stamp stamp) throws SQLException;

    /** The same in a transaction of the application's, who may. */
    default Verdict check(Connection connection, ResourceName resource, Stamp stamp) throws SQLException {
        return admit(connection, resource, stamp);
    }

    /**
     * After a check was refused in a transaction of the application's: nothing that it wrote may be committed, and nothing that
     * it goes on to write before it rolls back, which would be in a new transaction that nobody checked. To roll back only is a
     * limit, which {@link JdbcFence#check} tells.
     */
    void undo(Connection connection) throws SQLException;

    /** @throws IllegalStateException if there is no open transaction to protect */
    void requireTransaction(Connection connection) throws SQLException;

    /** Whether a transaction was open in the database, whatever the driver believes. One is open afterwards. */
    boolean hadTransaction(Connection connection) throws SQLException;

    /** Remembers which transaction this is, after the stamp was admitted. */
    void mark(Connection connection, Stamp stamp) throws SQLException;

    /**
     * Commits, and waits for readers where it must.
     *
     * @throws EndedEarlyException if this no longer is the transaction that was marked
     * @throws UnclearCommitException if it may have been committed
     */
    void commit(Connection connection, Stamp stamp, Deadline deadline) throws SQLException;

    /**
     * Puts the session back to what it was before {@link #begin}, however its transaction ended; the next who borrows the
     * connection must find nothing of ours.
     */
    default void leave(Connection connection) throws SQLException {}

    /** By which word a statement would end the transaction that it runs in, by what only this database does; empty if by none. */
    default Optional<String> endsTransaction(String sql) {
        return Optional.empty();
    }

    /** Whether the same transaction, run again from its start, may well succeed. */
    boolean isTransient(SQLException failure);

    /** How the database itself is made to refuse. */
    Enforcement enforcement();

    /**
     * What the conditional update came to.
     *
     * @param refusal why nothing was raised; empty if it was
     * @param now the row as it stands after it; empty if there is none
     */
    record Raised(Optional<Refusal> refusal, Optional<FenceView> now) {}

    /**
     * What a check came to.
     *
     * @param refusal why a write with this stamp must not commit; empty if it may
     * @param highest the highest token that the resource was sealed with; 0 for none
     */
    record Verdict(Optional<Refusal> refusal, long highest) {

        static Verdict passed(Stamp stamp) {
            return new Verdict(Optional.empty(), stamp.token().value());
        }
    }
}
