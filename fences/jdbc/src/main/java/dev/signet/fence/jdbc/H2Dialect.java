package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.fence.FenceView;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The fence on H2, 2.2 and newer, for the tests of applications.
 *
 * <p>H2 has no lock that writers share, so that those of one resource take turns: a check is a {@code SELECT … FOR UPDATE}. A
 * transaction that fails or that DDL commits is over without a word from the driver, so a fenced one is marked by its number. A
 * check inside a savepoint that is rolled back loses its lock, and nothing tells whether there is a savepoint.
 */
class H2Dialect extends TableDialect {

    private static final int DUPLICATE_KEY = 23505;
    private static final Set<Integer> MISSING_TABLE = Set.of(42102, 42103, 42104);

    /** Deadlock, lock time-out, a row that another changed. */
    private static final Set<Integer> TRANSIENT = Set.of(40001, 50200, 90131);

    private static final Pattern COMMITS = Pattern.compile(
            "(?:\\s|;|--[^\\n]*(?:\\n|$)|//[^\\n]*(?:\\n|$)|/\\*.*?\\*/)*((?:alter|analyze|backup|checkpoint|comment|create|drop"
                    + "|grant|prepare\\s+commit|revoke|shutdown|truncate|set\\s+autocommit)\\b).*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final List<String> HOLES = List.of(
            "H2 is for tests: only writes that go through this fence are checked",
            "who swallows the refusal of a check, and goes on without a rollback, writes unchecked",
            "a check inside a savepoint of the application's that is rolled back lets a seal pass, and the write after it",
            "a transaction that stands still holds a seal up until it ends");

    private final JdbcFenceOptions options;

    H2Dialect(JdbcFenceOptions options) {
        super(COMMITS);
        this.options = options;
    }

    @Override
    public void accept(Connection connection) {}

    @Override
    public FenceView init(Connection connection, ResourceName resource, Role role, StoreId storeId, Deadline deadline)
            throws SQLException {
        if (!isInitialised(connection)) {
            Sql.execute(
                    connection, "CREATE TABLE IF NOT EXISTS signet_fence_layout (version BIGINT NOT NULL PRIMARY KEY)");
            Sql.execute(
                    connection,
                    "INSERT INTO signet_fence_layout SELECT " + FenceTable.VERSION
                            + " WHERE NOT EXISTS (SELECT 1 FROM signet_fence_layout)");
            Sql.execute(connection, "CREATE TABLE IF NOT EXISTS signet_fence" + FenceTable.COLUMNS);
            isInitialised(connection);
        }
        try {
            FenceTable.insert(connection, resource, role, storeId);
        } catch (SQLException e) {
            if (e.getErrorCode() != DUPLICATE_KEY) {
                throw e;
            }
        }
        return look(connection, resource).orElseThrow(() -> new SQLException("the row was deleted at once"));
    }

    @Override
    boolean isInitialised(Connection connection) throws SQLException {
        String layout = "SELECT MAX(version) FROM signet_fence_layout";
        Optional<String> version = Optional.empty();
        boolean made = exists(connection, "signet_fence");
        if (made && exists(connection, "signet_fence_layout")) {
            version = Sql.text(connection, layout);
        } else if (made) {
            throw new SQLException("a table signet_fence is there that Signet did not make; rename it");
        }
        if (made) {
            FenceTable.requireVersion(Long.parseLong(version.orElse("0")));
        }
        return made;
    }

    private boolean exists(Connection connection, String table) throws SQLException {
        try {
            Optional<String> unused = Sql.text(connection, "SELECT 1 FROM " + table + " WHERE 1 = 0");
            return true;
        } catch (SQLException e) {
            if (isMissingTable(e)) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public Raised raise(Connection connection, ResourceName resource, Stamp stamp, long maxJump, Deadline deadline)
            throws SQLException {
        if (!isInitialised(connection)) {
            return raised(0, Optional.empty(), stamp);
        }
        connection.setAutoCommit(false);
        try {
            Optional<FenceRow> unused = lockedRow(connection, resource, deadline);
            int rows = raiseRow(connection, resource, stamp, maxJump);
            Optional<FenceRow> now = row(connection, resource);
            connection.commit();
            return raisedOrStands(rows, now, stamp);
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** The conditional update itself. */
    int raiseRow(Connection connection, ResourceName resource, Stamp stamp, long maxJump) throws SQLException {
        return FenceTable.raise(connection, FenceTable.RAISE, resource, stamp, maxJump);
    }

    @Override
    public void begin(Connection connection, Deadline deadline) throws SQLException {
        connection.setAutoCommit(false);
    }

    @Override
    Optional<FenceRow> lockedRow(Connection connection, ResourceName resource) throws SQLException {
        return lockedRow(connection, resource, Deadline.in(options.writeTimeout()));
    }

    Optional<FenceRow> lockedRow(Connection connection, ResourceName resource, Deadline deadline) throws SQLException {
        double seconds = Math.max(1, deadline.nanosLeft() / 1_000_000) / 1000.0;
        return row(connection, FenceTable.SELECT + " FOR UPDATE WAIT " + seconds, resource);
    }

    @Override
    boolean isMissingTable(SQLException failure) {
        return MISSING_TABLE.contains(failure.getErrorCode());
    }

    /** Here nothing keeps who swallows the refusal from writing on. */
    @Override
    public void undo(Connection connection) throws SQLException {
        connection.rollback();
    }

    @Override
    public boolean hadTransaction(Connection connection) throws SQLException {
        return Sql.text(connection, "SELECT TRANSACTION_ID()").isPresent();
    }

    @Override
    public void mark(Connection connection, Stamp stamp) throws SQLException {
        Sql.execute(connection, "SET @signet_fenced = TRANSACTION_ID()");
    }

    @Override
    boolean isMarked(Connection connection) throws SQLException {
        return Sql.text(connection, "SELECT 1 WHERE @signet_fenced = TRANSACTION_ID()")
                .isPresent();
    }

    @Override
    public void leave(Connection connection) throws SQLException {
        Sql.execute(connection, "SET @signet_fenced = NULL");
    }

    @Override
    public boolean isTransient(SQLException failure) {
        return TRANSIENT.contains(failure.getErrorCode());
    }

    @Override
    public Enforcement enforcement() {
        return new NoEnforcement(HOLES);
    }
}
