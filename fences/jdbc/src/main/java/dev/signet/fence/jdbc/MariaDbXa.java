package dev.signet.fence.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * XA PREPARE gives back the shared lock while the transaction may still commit, so a check inside an XA transaction is refused. The
 * server tells by its answer to {@code XA START}, which it refuses in either kind of transaction, for different reasons, without
 * changing it.
 */
final class MariaDbXa {

    private static final int INSIDE = 1399;
    private static final int OUTSIDE = 1400;

    private MariaDbXa() {}

    /** In a transaction of whichever kind. */
    static void requireNone(Connection connection) throws SQLException {
        try {
            outside(() -> Sql.execute(connection, "XA START 'signet'"));
        } catch (SQLException e) {
            if (MariaDb.is(e, OUTSIDE)) {
                return;
            }
            throw e;
        }
        Sql.execute(connection, "XA END 'signet'");
        Sql.execute(connection, "XA ROLLBACK 'signet'");
        throw new IllegalStateException(
                "there is no open transaction, though the connection is not in autocommit mode");
    }

    /** Runs what the server refuses inside of XA. */
    static void outside(Deadline.Statement statement) throws SQLException {
        try {
            statement.run();
        } catch (SQLException e) {
            if (MariaDb.is(e, INSIDE)) {
                throw new IllegalStateException(
                        "this is an XA transaction, which loses the fence's lock when it is prepared, and may commit later;"
                                + " check in an ordinary transaction",
                        e);
            }
            throw e;
        }
    }
}
