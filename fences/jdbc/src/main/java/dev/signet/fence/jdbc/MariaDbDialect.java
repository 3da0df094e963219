package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.fence.FenceView;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fence on MariaDB, 10.6 and newer.
 *
 * <p>A check reads the row under a shared lock, at whatever isolation level: a locking read returns the row as it was last
 * committed, where a plain one returns it as the transaction's snapshot has it. A raise needs the row alone, so that it waits
 * for every transaction that was admitted; InnoDB serves who waits in order, so that writers who come later wait behind it,
 * and read what it wrote. Writers only ever share: two who shared the row and then each changed it would wait for one another.
 * {@code ROLLBACK TO} a savepoint keeps the lock, but for one that was set before InnoDB took part in the transaction: going
 * back to that gives back all locks, so that a check which is the first to touch anything begins the transaction anew, which
 * forgets such savepoints.
 *
 * <p>A raise is one statement on a connection with autocommit, so that a sealer that is stopped keeps nobody waiting. Its wait
 * is bounded by {@code SET STATEMENT}, which lasts as long as the statement does.
 *
 * <p>What gives the lock back unseen is a deadlock, after which InnoDB has rolled the whole transaction back, and any statement
 * that commits by itself, as all DDL does. So a fenced transaction is marked by a savepoint, which dies with it; a connection
 * on which it died is used no further; and statements that commit are refused inside the work.
 *
 * <p>XA PREPARE gives back the shared lock while the transaction may still commit, so a check inside an XA transaction is
 * refused. The server tells by its answer to {@code XA START}, which it refuses in either kind of transaction, for different
 * reasons, without changing it.
 *
 * <p>A writer that stands still in a fenced transaction is ended by the server, which for that time has an idle time-out of ours.
 */
class MariaDbDialect extends RowDialect {

    private static final String MARK = "signet_fenced";

    /**
     * The row, shared, in a transaction with a number. InnoDB gives none to those that have only read; whoever stands in the way
     * of a seal is looked up by it, and without one all readers of the whole server look the same. What gives it here is the
     * lock for writing on a row that is never there, which keeps nobody waiting.
     */
    private static final String LOCKED = FenceTable.SELECT.replace(
                    " FROM ", ", (SELECT 1 FROM signet_fence_layout WHERE version = 0 FOR UPDATE) FROM ")
            + " LOCK IN SHARE MODE";

    /** The specific ones win over the general one, so all three are set; a shorter one of the user's stays. */
    private static final List<String> IDLE_TIMEOUTS =
            List.of("idle_transaction_timeout", "idle_readonly_transaction_timeout", "idle_write_transaction_timeout");

    /** A temporary table's DDL does not commit; all else that begins so does. */
    private static final Pattern COMMITS = Pattern.compile(
            "(?:\\s|;|--[^\\n]*(?:\\n|$)|#[^\\n]*(?:\\n|$)|/\\*.*?\\*/)*((?:(?:create(?:\\s+or\\s+replace)?|drop)\\s+(?!temporary\\b)"
                    + "|(?:alter|analyze|cache|check|flush|grant|install|lock|optimize|rename|repair|reset|revoke|truncate"
                    + "|uninstall|unlock|xa)\\b|set\\s+(?:[^;]*[\\s,.@])?autocommit\\b|set\\s+password\\b)).*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final List<String> HOLES = List.of(
            "only writes that go through this fence are checked: any other SQL of a stale leader lands",
            "tables of engines without transactions (MyISAM, Aria, MEMORY) keep what a refused transaction wrote to them",
            "a transaction of the application's own that stands still after check() holds a seal up until it ends, or is"
                    + " ended for the seal, which takes the rights PROCESS and CONNECTION ADMIN",
            "a failover to a replica that has not replayed the seal, or a restored backup, brings the old fence row back");

    private final JdbcFenceOptions options;

    MariaDbDialect(JdbcFenceOptions options) {
        this.options = options;
    }

    @Override
    public void accept(Connection connection) throws SQLException {
        DatabaseMetaData about = connection.getMetaData();
        int major = about.getDatabaseMajorVersion();
        if (major < 10 || (major == 10 && about.getDatabaseMinorVersion() < 6)) {
            throw new SQLException(
                    "this is MariaDB " + about.getDatabaseProductVersion() + "; a fence needs 10.6 or newer");
        }
        if (connection.getCatalog() == null || connection.getCatalog().isEmpty()) {
            throw new SQLException("the connection is in no database; name one in its URL");
        }
        if (MariaDb.text(connection, "SELECT @@wsrep_on").orElse("0").equals("1")) {
            throw new SQLException("this is a Galera cluster, whose nodes do not see each other's shared locks, so that"
                    + " a seal at one would pass a writer at another");
        }
    }

    @Override
    public FenceView init(Connection connection, ResourceName resource, Role role, StoreId storeId, Deadline deadline)
            throws SQLException {
        inAutocommit(connection, () -> MariaDbSchema.init(connection, resource, role, storeId));
        return look(connection, resource).orElseThrow(() -> new SQLException("the row was deleted at once"));
    }

    @Override
    public Optional<FenceView> look(Connection connection, ResourceName resource) throws SQLException {
        return MariaDbSchema.isInitialised(connection) ? super.look(connection, resource) : Optional.empty();
    }

    @Override
    public Raised raise(Connection connection, ResourceName resource, Stamp stamp, long maxJump, Deadline deadline)
            throws SQLException {
        if (!MariaDbSchema.isInitialised(connection)) {
            return raised(0, Optional.empty(), stamp);
        }
        int[] raised = new int[1];
        inAutocommit(connection, () -> raised[0] = raiseRow(connection, resource, stamp, maxJump, deadline));
        Optional<FenceRow> now = row(connection, resource);
        return raised(stands(now, stamp) ? 1 : raised[0], now, stamp);
    }

    /** Whether the resource is sealed for this very term, by whichever of its seals. */
    boolean stands(Optional<FenceRow> now, Stamp stamp) {
        return now.isPresent() && now.get().refuses(stamp).isEmpty();
    }

    /** The conditional update itself. */
    int raiseRow(Connection connection, ResourceName resource, Stamp stamp, long maxJump, Deadline deadline)
            throws SQLException {
        return FenceTable.raise(connection, MariaDb.within(deadline) + FenceTable.RAISE, resource, stamp, maxJump);
    }

    /** Each statement in it is a transaction. */
    private static void inAutocommit(Connection connection, Deadline.Statement statements) throws SQLException {
        boolean found = connection.getAutoCommit();
        if (!found) {
            connection.setAutoCommit(true);
        }
        statements.run();
        if (!found) {
            connection.setAutoCommit(false);
        }
    }

    @Override
    public OptionalLong session(Connection connection) throws SQLException {
        return MariaDb.text(connection, "SELECT CONNECTION_ID()")
                .map(Long::parseLong)
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** Whoever only waits for the row as well, another sealer, is not in the way. */
    @Override
    public List<Blocker> blockers(Connection other, long waiting) throws SQLException {
        String sql = "SELECT DISTINCT w.blocking_trx_id, b.trx_mysql_thread_id, p.user, p.host, p.command, p.time_ms"
                + " FROM information_schema.innodb_lock_waits w"
                + " JOIN information_schema.innodb_trx r ON r.trx_id = w.requesting_trx_id"
                + " JOIN information_schema.innodb_locks l ON l.lock_id = w.requested_lock_id"
                + " LEFT JOIN information_schema.innodb_trx b ON b.trx_id = w.blocking_trx_id AND b.trx_id <> 0"
                + " LEFT JOIN information_schema.processlist p ON p.id = b.trx_mysql_thread_id"
                + " WHERE r.trx_mysql_thread_id = ? AND l.lock_table LIKE '%.`signet_fence`%'"
                + " AND (b.trx_requested_lock_id IS NULL OR b.trx_requested_lock_id <> w.blocking_lock_id)";
        try (PreparedStatement select = other.prepareStatement(sql)) {
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

    @Override
    public void end(Connection other, Blocker blocker) throws SQLException {
        try {
            MariaDb.execute(other, "KILL CONNECTION " + blocker.session());
        } catch (SQLException e) {
            if (!MariaDb.is(e, MariaDb.NO_SUCH_THREAD)) {
                throw e;
            }
        }
    }

    @Override
    public void begin(Connection connection, Deadline deadline) throws SQLException {
        connection.setAutoCommit(false);
        boundIdleness(connection);
    }

    /** In whole seconds. What was set before waits in variables of the session, where {@link #leave} finds it. */
    void boundIdleness(Connection connection) throws SQLException {
        long seconds = Math.max(1, (options.longestIdle().toMillis() + 999) / 1000);
        StringBuilder set = new StringBuilder("SET ");
        for (String name : IDLE_TIMEOUTS) {
            set.append("@signet_")
                    .append(name)
                    .append(" = @@SESSION.")
                    .append(name)
                    .append(", ");
        }
        for (String name : IDLE_TIMEOUTS) {
            String now = "@@SESSION." + name;
            set.append("SESSION ")
                    .append(name)
                    .append(" = IF(")
                    .append(now)
                    .append(" BETWEEN 1 AND ")
                    .append(seconds)
                    .append(", ")
                    .append(now)
                    .append(", ")
                    .append(seconds)
                    .append("), ");
        }
        MariaDb.execute(connection, set.substring(0, set.length() - 2));
    }

    @Override
    public void leave(Connection connection) throws SQLException {
        StringBuilder set = new StringBuilder("SET ");
        for (String name : IDLE_TIMEOUTS) {
            set.append("SESSION ")
                    .append(name)
                    .append(" = COALESCE(@signet_")
                    .append(name)
                    .append(", @@SESSION.")
                    .append(name)
                    .append("), ");
        }
        for (String name : IDLE_TIMEOUTS) {
            set.append("@signet_").append(name).append(" = NULL, ");
        }
        MariaDb.execute(connection, set.substring(0, set.length() - 2));
    }

    @Override
    Optional<FenceRow> lockedRow(Connection connection, ResourceName resource) throws SQLException {
        return select(connection, MariaDb.within(Deadline.in(options.writeTimeout())) + lockedSelect(), resource);
    }

    String lockedSelect() {
        return LOCKED;
    }

    @Override
    Optional<FenceRow> row(Connection connection, ResourceName resource) throws SQLException {
        return select(connection, FenceTable.SELECT, resource);
    }

    private static Optional<FenceRow> select(Connection connection, String sql, ResourceName resource)
            throws SQLException {
        try {
            return FenceTable.row(connection, sql, resource);
        } catch (SQLException e) {
            if (MariaDb.is(e, MariaDb.MISSING_TABLE)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public Verdict check(Connection connection, ResourceName resource, Stamp stamp) throws SQLException {
        beginAnew(connection);
        Verdict verdict = admit(connection, resource, stamp);
        if (verdict.refusal().isEmpty()) {
            requireNoXa(connection); // not before: outside of any transaction it would begin one
        }
        return verdict;
    }

    /**
     * Forgets savepoints of a transaction in which nothing was done yet. To go back to one of those would undo all that InnoDB
     * did, as it did not take part then, and give back its locks.
     */
    void beginAnew(Connection connection) throws SQLException {
        if (hadTransaction(connection)) {
            return;
        }
        try {
            MariaDb.execute(connection, "START TRANSACTION");
        } catch (SQLException e) {
            if (MariaDb.is(e, MariaDb.INSIDE_XA)) {
                throw insideXa(e);
            }
            throw e;
        }
    }

    private static RuntimeException insideXa(SQLException cause) {
        return new IllegalStateException(
                "this is an XA transaction, which loses the fence's lock when it is prepared, and may commit later; check"
                        + " in an ordinary transaction",
                cause);
    }

    void requireNoXa(Connection connection) throws SQLException {
        try {
            MariaDb.execute(connection, "XA START 'signet'");
        } catch (SQLException e) {
            if (MariaDb.is(e, MariaDb.OUTSIDE_XA)) {
                return;
            }
            if (MariaDb.is(e, MariaDb.INSIDE_XA)) {
                throw insideXa(e);
            }
            throw e;
        }
        MariaDb.execute(connection, "XA END 'signet'");
        MariaDb.execute(connection, "XA ROLLBACK 'signet'");
        throw new IllegalStateException(
                "there is no open transaction, though the connection is not in autocommit mode");
    }

    /** What follows may only read, until the application ends it: DDL does, too. */
    @Override
    public void undo(Connection connection) throws SQLException {
        connection.rollback();
        MariaDb.execute(connection, "START TRANSACTION READ ONLY");
    }

    @Override
    public void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("the connection is in autocommit mode, where the check ends before the"
                    + " write begins; call setAutoCommit(false) first");
        }
    }

    @Override
    public boolean hadTransaction(Connection connection) throws SQLException {
        try {
            return MariaDb.text(connection, "SELECT @@in_transaction")
                    .orElse("0")
                    .equals("1");
        } catch (SQLException e) {
            if (MariaDb.isGone(e)) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public Optional<String> endsTransaction(String sql) {
        Matcher commits = COMMITS.matcher(sql);
        return commits.matches() ? Optional.of(commits.group(1).strip()) : Optional.empty();
    }

    @Override
    public void mark(Connection connection, Stamp stamp) throws SQLException {
        MariaDb.execute(connection, "SAVEPOINT " + MARK);
    }

    /** Whether this still is the transaction that was marked, with all that it wrote. */
    boolean isMarked(Connection connection) throws SQLException {
        try {
            MariaDb.execute(connection, "RELEASE SAVEPOINT " + MARK);
            return true;
        } catch (SQLException e) {
            if (MariaDb.is(e, MariaDb.MISSING_SAVEPOINT)) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void commit(Connection connection, Stamp stamp, Deadline deadline) throws SQLException {
        if (!isMarked(connection)) {
            throw new EndedEarlyException();
        }
        try {
            connection.commit();
        } catch (SQLException e) {
            throw MariaDb.isTransient(e) ? e : new UnclearCommitException(e);
        }
    }

    @Override
    public boolean isTransient(SQLException failure) {
        return MariaDb.isTransient(failure);
    }

    @Override
    public Enforcement enforcement() {
        return new NoEnforcement(HOLES);
    }
}
