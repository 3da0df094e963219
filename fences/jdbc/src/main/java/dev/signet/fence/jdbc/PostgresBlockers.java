package dev.signet.fence.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Who keeps a seal waiting on PostgreSQL, and the end of them.
 *
 * <p>Not all that the server names as blocking is in the way: it also names who waits as well and came first, such as another
 * seal. Only who has been granted what the seal waits for is. A prepared transaction has no session any more.
 */
final class PostgresBlockers {

    /** Below all process ids, and below what stands for nobody. */
    private static final long PREPARED = -2;

    private static final String MAY_NOT = "42501";

    /** The seal is known by what it waits for, so that behind a pooler it is not taken for another session. */
    private static final String FIND = "WITH seal AS (SELECT w.* FROM pg_locks w WHERE w.pid = ? AND NOT w.granted"
            + " AND EXISTS (SELECT 1 FROM pg_locks k WHERE k.pid = w.pid AND k.locktype = 'advisory'"
            + " AND k.classid = 1397311310 AND k.mode = 'ExclusiveLock')),"
            + " blocking AS (SELECT pg_blocking_pids(pid) AS pids FROM seal)"
            + " SELECT DISTINCT h.pid, p.gid, p.transaction::text::bigint AS number, p.prepared::text, a.usename,"
            + " host(a.client_addr) AS host, a.application_name, a.state,"
            + " (extract(epoch FROM clock_timestamp() - a.state_change) * 1000)::bigint AS millis"
            + " FROM seal s JOIN blocking b ON true JOIN pg_locks h ON h.granted"
            + " AND coalesce(h.pid, 0) = ANY (b.pids)"
            + " AND (h.locktype, h.database, h.relation, h.page, h.tuple, h.virtualxid, h.transactionid::text, h.classid,"
            + " h.objid, h.objsubid) IS NOT DISTINCT FROM (s.locktype, s.database, s.relation, s.page, s.tuple,"
            + " s.virtualxid, s.transactionid::text, s.classid, s.objid, s.objsubid)"
            + " LEFT JOIN pg_stat_activity a ON a.pid = h.pid"
            + " LEFT JOIN pg_locks x ON h.pid IS NULL AND x.pid IS NULL AND x.virtualtransaction = h.virtualtransaction"
            + " AND x.locktype = 'transactionid' AND x.mode = 'ExclusiveLock' AND x.granted"
            + " LEFT JOIN pg_prepared_xacts p ON p.transaction = x.transactionid";

    private PostgresBlockers() {}

    static List<Blocker> find(Connection other, long waiting) throws SQLException {
        try (PreparedStatement select = other.prepareStatement(FIND)) {
            select.setInt(1, (int) waiting);
            List<Blocker> blockers = new ArrayList<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    blockers.add(blocker(row));
                }
            }
            return blockers;
        }
    }

    private static Blocker blocker(ResultSet row) throws SQLException {
        String gid = row.getString("gid");
        if (gid != null) {
            return new Blocker(
                    PREPARED - row.getLong("number"),
                    "transaction '" + gid + "', prepared " + row.getString("prepared")
                            + "; COMMIT PREPARED or ROLLBACK PREPARED ends it",
                    false);
        }
        long session = row.getLong("pid");
        return new Blocker(
                session,
                "session " + session + " of " + row.getString("usename") + " from " + row.getString("host") + " ("
                        + row.getString("application_name") + "), " + row.getString("state") + " for "
                        + row.getLong("millis") + " ms",
                session > 0);
    }

    static void end(Connection other, Blocker blocker) throws SQLException {
        try (PreparedStatement terminate = other.prepareStatement("SELECT pg_terminate_backend(?)")) {
            terminate.setInt(1, (int) blocker.session());
            terminate.execute();
        } catch (SQLException e) {
            if (MAY_NOT.equals(e.getSQLState())) {
                throw new SQLException(
                        e.getMessage() + "; grant pg_signal_backend to who seals, unless writers are superusers", e);
            }
            throw e;
        }
    }
}
