package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.fence.FenceView;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
 * <p>A writer that stands still in a fenced transaction is ended by the server, which for that time has an idle time-out of ours.
 */
class MariaDbDialect extends TableDialect {

    private static final String MARK = "signet_fenced";

    /**
     * The row, shared, in a transaction with a number. InnoDB gives none to those that have only read; whoever stands in the way
     * of a seal is looked up by it, and without one all readers of the whole server look the same. What gives it here is the
     * lock for writing on a row that is never there, which keeps nobody waiting.
     */
    private static final String LOCKED = FenceTable.SELECT.replace(
                    " FROM ", ", (SELECT 1 FROM signet_fence_layout WHERE version = 0 FOR UPDATE) FROM ")
            + " LOCK IN SHARE MODE";

    /** A temporary table's DDL does not commit; all else that begins so does. */
    private static final Pattern COMMITS = Pattern.compile(
            "(?:\\s|;|--[^\\n]*(?:\\n|$)|#[^\\n]*(?:\\n|$)|/\\*.*?\\*/)*((?:(?:create(?:\\s+or\\s+replace)?|drop)\\s+(?!temporary\\b)"
                    + "|(?:alter|analyze|cache|check|flush|grant|install|lock|optimize|rename|repair|reset|revoke|truncate"
                    + "|uninstall|unlock|xa)\\b|set\\s+(?:[^;]*[\\s,.@])?autocommit\\b|set\\s+password\\b)).*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final JdbcFenceOptions options;

    MariaDbDialect(JdbcFenceOptions options) {
        super(COMMITS);
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
        if (Sql.text(connection, "SELECT @@wsrep_on").orElse("0").equals("1")) {
            throw new SQLException("this is a Galera cluster, whose nodes do not see each other's shared locks, so that"
                    + " a seal at one would pass a writer at another");
        }
    }

    @Override
    public FenceView init(Connection connection, ResourceName resource, Role role, StoreId storeId, Deadline deadline)
            throws SQLException {
        MariaDbSchema.init(connection, resource, role, storeId);
        return look(connection, resource).orElseThrow(() -> new SQLException("the row was deleted at once"));
    }

    @Override
    public void reset(
            Connection connection, ResourceName resource, Role role, StoreId storeId, String reason, Deadline deadline)
            throws SQLException {
        MariaDbLog.reset(connection, resource, role, storeId, reason, deadline);
    }

    @Override
    public Raised raise(Connection connection, ResourceName resource, Stamp stamp, long maxJump, Deadline deadline)
            throws SQLException {
        if (!MariaDbSchema.isInitialised(connection)) {
            return raised(0, Optional.empty(), stamp);
        }
        int rows = raiseRow(connection, resource, stamp, maxJump, deadline);
        return raisedOrStands(rows, row(connection, resource), stamp);
    }

    /** The conditional update itself. */
    int raiseRow(Connection connection, ResourceName resource, Stamp stamp, long maxJump, Deadline deadline)
            throws SQLException {
        return FenceTable.raise(connection, MariaDb.within(deadline) + FenceTable.RAISE, resource, stamp, maxJump);
    }

    @Override
    public OptionalLong session(Connection connection) throws SQLException {
        return Sql.text(connection, "SELECT CONNECTION_ID()")
                .map(Long::parseLong)
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    @Override
    public List<Blocker> blockers(Connection other, long waiting) throws SQLException {
        return MariaDbBlockers.find(other, waiting);
    }

    @Override
    public void end(Connection other, Blocker blocker) throws SQLException {
        MariaDbBlockers.end(other, blocker);
    }

    @Override
    public void begin(Connection connection, Deadline deadline) throws SQLException {
        connection.setAutoCommit(false);
        boundIdleness(connection);
    }

    void boundIdleness(Connection connection) throws SQLException {
        MariaDbIdleness.bound(connection, options.longestIdle());
    }

    @Override
    public void leave(Connection connection) throws SQLException {
        MariaDbIdleness.restore(connection);
        MariaDbTriggers.forget(connection);
    }

    @Override
    Optional<FenceRow> lockedRow(Connection connection, ResourceName resource) throws SQLException {
        return row(connection, MariaDb.within(Deadline.in(options.writeTimeout())) + lockedSelect(), resource);
    }

    String lockedSelect() {
        return LOCKED;
    }

    @Override
    boolean isInitialised(Connection connection) throws SQLException {
        return MariaDbSchema.isInitialised(connection);
    }

    @Override
    boolean isMissingTable(SQLException failure) {
        return MariaDb.is(failure, MariaDb.MISSING_TABLE);
    }

    @Override
    public Verdict check(Connection connection, ResourceName resource, Stamp stamp) throws SQLException {
        beginAnew(connection);
        Verdict verdict = admit(connection, resource, stamp);
        requireNoXa(connection); // not before: outside of any transaction it would begin one
        if (verdict.refusal().isEmpty()) {
            MariaDbEnforcement.carry(connection, stamp);
        }
        return verdict;
    }

    /**
     * Forgets savepoints of a transaction in which nothing was done yet. To go back to one of those would undo all that InnoDB
     * did, as it did not take part then, and give back its locks.
     */
    void beginAnew(Connection connection) throws SQLException {
        if (!hadTransaction(connection)) {
            MariaDbXa.outside(() -> Sql.execute(connection, "START TRANSACTION"));
        }
    }

    void requireNoXa(Connection connection) throws SQLException {
        MariaDbXa.requireNone(connection);
    }

    /** What follows may only read, until the application ends it: DDL does, too. */
    @Override
    public void undo(Connection connection) throws SQLException {
        connection.rollback();
        Sql.execute(connection, "START TRANSACTION READ ONLY");
    }

    @Override
    public boolean hadTransaction(Connection connection) throws SQLException {
        try {
            return Sql.text(connection, "SELECT @@in_transaction").orElse("0").equals("1");
        } catch (SQLException e) {
            if (MariaDb.isGone(e)) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void mark(Connection connection, Stamp stamp) throws SQLException {
        Sql.execute(connection, "SAVEPOINT " + MARK);
        MariaDbTriggers.carry(connection, stamp);
    }

    @Override
    boolean isMarked(Connection connection) throws SQLException {
        try {
            Sql.execute(connection, "RELEASE SAVEPOINT " + MARK);
            return true;
        } catch (SQLException e) {
            if (MariaDb.is(e, MariaDb.MISSING_SAVEPOINT)) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public boolean isTransient(SQLException failure) {
        return MariaDb.isTransient(failure);
    }

    @Override
    public Enforcement enforcement() {
        return new MariaDbEnforcement(new MariaDbTriggers());
    }
}
