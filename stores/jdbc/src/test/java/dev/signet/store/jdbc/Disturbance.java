package dev.signet.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** What befalls the connections of a {@link DisturbedDataSource}. */
interface Disturbance {

    Disturbance NONE = new Disturbance() {};

    /**
     * Something that is sent to the server.
     *
     * @param sql the statement; {@code COMMIT}, {@code ROLLBACK}
     * @param thread of whoever sends it
     * @param id of the connection at the server
     * @param connection the real one
     */
    record Step(String sql, String thread, long id, Connection connection) {

        boolean isCommit() {
            return sql.equals("COMMIT");
        }

        boolean isBy(String lane) {
            return thread.equals("signet-jdbc-" + lane);
        }

        /** Of grants and releases. */
        boolean isWrite() {
            return isBy("writes");
        }

        boolean isHeartbeat() {
            return isBy("heartbeats");
        }
    }

    /** What is sent instead. */
    default String rewritten(String sql) {
        return sql;
    }

    /** Before it is sent; what it throws is thrown at the sender, and nothing is sent. */
    default void before(Step step) throws SQLException {}

    /** After it was answered; what it throws is the sender's answer. */
    default void after(Step step) throws SQLException {}

    /** The server's answer was a fault. */
    default void failed(Step step, SQLException fault) {}

    /** The level that is set instead. */
    default int isolation(int wanted) {
        return wanted;
    }

    /** Whether a connection's autocommit is left as it is, instead of being set as wanted. */
    default boolean ignoresAutoCommit(boolean wanted) {
        return false;
    }

    /** Whether the connection stays open, whatever its owner does with it. */
    default boolean keeps(long id) {
        return false;
    }
}
