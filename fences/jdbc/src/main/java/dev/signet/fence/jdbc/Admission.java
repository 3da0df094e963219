package dev.signet.fence.jdbc;

/** When {@link JdbcFence#inTransaction} has the database look at the stamp. */
public enum Admission {

    /**
     * Before the work, on a round trip of its own: a stale leader is refused before it has done anything. From there to the end
     * of the transaction a seal waits for it, though for no longer than {@link JdbcFenceOptions#longestIdle} while it stands still.
     */
    BEFORE_WORK,

    /**
     * In the commit's own round trip, on PostgreSQL only: no seal waits for the work, and each transaction costs one round trip
     * less. What that takes:
     *
     * <ul>
     *   <li>The work of a stale leader runs, and is then rolled back. What it does elsewhere, numbers drawn from sequences
     *       included, has been done. Nor is it run again where a failover has lost the seal: that is sealed again, and the failure
     *       says to retry.
     *   <li>Nothing of the fence ends a transaction that stands still. It holds no seal up, but the rows that it has changed, and
     *       so whoever succeeds and wants to change them. Have the server end it, by {@code idle_in_transaction_session_timeout} of
     *       the role or in the URL ({@code options=-c%20idle_in_transaction_session_timeout=10s}).
     *   <li>What the work commits by itself lands unchecked. Ways to do so that are seen are refused before they are sent: calls of
     *       the connection, and texts in which any statement begins with {@code BEGIN}, {@code START}, {@code COMMIT}, {@code END},
     *       {@code ROLLBACK}, {@code ABORT} or {@code PREPARE TRANSACTION}. A text with backslashes in quotes, or with JDBC
     *       escapes in braces, may not have these words at all: bind such values. Before the work, what gets past that would be found by the commit, after the fact; here
     *       it is not.
     *   <li>The fence is looked up by the search path, and called by the role, at the end of the work, which has to leave both as it
     *       found them.
     *   <li>The work carries no stamp yet: {@code TRUNCATE} of a protected table, and {@code SET CONSTRAINTS ... IMMEDIATE}, which
     *       have its triggers look at once, are refused.
     * </ul>
     */
    AT_COMMIT
}
