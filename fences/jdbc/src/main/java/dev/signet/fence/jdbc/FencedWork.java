package dev.signet.fence.jdbc;

import java.sql.Connection;

/** What is done inside a fenced transaction. */
@FunctionalInterface
public interface FencedWork<T, E extends Exception> {

    /**
     * @param connection for this call only; the transaction on it is not the work's to end, so commit, rollback,
     *     savepoints and autocommit are refused, and closing it does nothing
     */
    T run(Connection connection) throws E;
}
