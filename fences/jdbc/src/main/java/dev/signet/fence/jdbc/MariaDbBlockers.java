package dev.signet.fence.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Who keeps a seal waiting on MariaDB, and the end of them. Whoever only waits for the row as well, another sealer, is not in the
 * way.
 */
final class MariaDbBlockers {

    private static final String FIND =
            "SELECT DISTINCT w.blocking_trx_id, b.trx_mysql_thread_id, p.user, p.host, p.command, p.time_ms"
                    + " FROM information_schema.innodb_lock_waits w"
                    + " JOIN information_schema.innodb_trx r ON r.trx_id = w.requesting_trx_id"
                    + " JOIN information_schema.innodb_locks l ON l.lock_id = w.requested_lock_id"
                    + " LEFT JOIN information_schema.innodb_trx b ON b.trx_id = w.blocking_trx_id AND b.trx_id <> 0"
                    + " LEFT JOIN information_schema.processlist p ON p.id = b.trx_mysql_thread_id"
                    + " WHERE r.trx_mysql_thread_id = ? AND l.lock_table LIKE '%.`signet_fence`%'"
                    + " AND (b.trx_requested_lock_id IS NULL OR b.trx_requested_lock_id <> w.blocking_lock_id)";

    private MariaDbBlockers() {}

    static List<Blocker> find(Connection other, long waiting) throws SQLException {
        try (PreparedStatement select = other.prepareStatement(FIND)) {
            select.setLong(1, waiting);
            List<Blocker> blockers = new ArrayList<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    blockers.add(blocker(row));
                }
            }
            return blockers;
        } catch (SQLException e) {
            if (MariaDb.is(e, MariaDb.ACCESS_DENIED)) {
                throw new SQLException(e.getMessage() + "; grant PROCESS, and CONNECTION ADMIN to end it", e);
            }
            throw e;
        }
    }

    private static Blocker blocker(ResultSet row) throws SQLException {
        if (row.getLong(1) == 0) {
            return new Blocker(0, "a transaction without a number, which reads the fence by SQL of its own", false);
        }
        long session = row.getLong(2);
        return session == 0
                ? new Blocker(0, "a prepared transaction; XA RECOVER lists it", false)
                : new Blocker(
                        session,
                        "connection " + session + " of " + row.getString(3) + " from " + row.getString(4) + ", "
                                + row.getString(5) + " for " + row.getLong(6) + " ms",
                        true);
    }

    static void end(Connection other, Blocker blocker) throws SQLException {
        try {
            Sql.execute(other, "KILL CONNECTION " + blocker.session());
        } catch (SQLException e) {
            if (!MariaDb.is(e, MariaDb.NO_SUCH_THREAD)) {
                throw e;
            }
        }
    }
}
