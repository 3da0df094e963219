package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.fence.FenceView;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;

/**
 * The fence on SQLite.
 *
 * <p>SQLite lets one transaction write at a time, so whoever holds the write lock excludes the seal until it commits: the
 * check takes that lock, then reads the row. It takes it by an update that touches no row, which marks no page as
 * changed. In a transaction that has read before, the same statement fails with {@code SQLITE_BUSY_SNAPSHOT} if anybody
 * committed in between, so that what was read before the check is as fresh as the check. A plain {@code SELECT} in a
 * deferred transaction is no check: the seal passes between it and the first write, which then succeeds. {@code ROLLBACK
 * TO} a savepoint does not give the lock back, inside a transaction or as its outermost statement.
 *
 * <p>What does give it back unseen is a statement after which SQLite rolls the whole transaction back by itself:
 * {@code INSERT OR ROLLBACK}, {@code RAISE(ROLLBACK)}, some I/O errors. The driver goes on as if a transaction were open,
 * and the next statement commits on its own. So a fenced transaction is marked by a savepoint, which dies with it.
 */
class SqliteDialect extends RowDialect {

    private static final String MARK = "signet_fenced";

    private final SqliteTriggers triggers;

    SqliteDialect() {
        this(new SqliteTriggers());
    }

    SqliteDialect(SqliteTriggers triggers) {
        this.triggers = triggers;
    }

    @Override
    public void accept(Connection connection) throws SQLException {
        SqliteFile.require(connection);
    }

    @Override
    public FenceView init(Connection connection, ResourceName resource, Role role, StoreId storeId, Deadline deadline)
            throws SQLException {
        try (Quick quick = new Quick(connection)) {
            quick.durable();
            quick.immediately(deadline, () -> SqliteSchema.init(connection, resource, role, storeId));
        }
        return look(connection, resource).orElseThrow(() -> new SQLException("the row was deleted at once"));
    }

    @Override
    public Optional<FenceView> look(Connection connection, ResourceName resource) throws SQLException {
        return SqliteSchema.isInitialised(connection) ? super.look(connection, resource) : Optional.empty();
    }

    @Override
    public Raised raise(Connection connection, ResourceName resource, Stamp stamp, long maxJump, Deadline deadline)
            throws SQLException {
        if (!SqliteSchema.isInitialised(connection)) {
            return raised(0, Optional.empty(), stamp);
        }
        int[] raised = new int[1];
        List<FenceRow> found = new ArrayList<>();
        try (Quick quick = new Quick(connection)) {
            quick.durable();
            quick.immediately(deadline, () -> {
                raised[0] = raise(connection, resource, stamp, maxJump);
                row(connection, resource).ifPresent(found::add);
            });
        }
        return raised(raised[0], found.stream().findFirst(), stamp);
    }

    /** The conditional update itself. */
    int raise(Connection connection, ResourceName resource, Stamp stamp, long maxJump) throws SQLException {
        String sql = "UPDATE main.signet_fence SET max_token = ?1, term_id = ?2"
                + " WHERE resource = ?3 AND role = ?4 AND store_id = ?5"
                + " AND (max_token < ?1 OR (max_token = ?1 AND term_id = ?2)) AND ?1 - max_token <= ?6";
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setLong(1, stamp.token().value());
            update.setString(2, stamp.termId().secret());
            update.setString(3, resource.name());
            update.setString(4, stamp.role().name());
            update.setString(5, stamp.storeId().value());
            update.setLong(6, maxJump);
            return update.executeUpdate();
        }
    }

    @Override
    public void begin(Connection connection, Deadline deadline) throws SQLException {
        if (connection.isWrapperFor(SQLiteConnection.class)) {
            // With IMMEDIATE the driver takes the write lock again right after each commit, and keeps it while idle.
            connection.unwrap(SQLiteConnection.class).setCurrentTransactionMode(TransactionMode.DEFERRED);
        }
        connection.setAutoCommit(false);
        try (Quick quick = new Quick(connection)) {
            quick.retry(deadline, () -> lockIfInitialised(connection));
        }
    }

    @Override
    Optional<FenceRow> lockedRow(Connection connection, ResourceName resource) throws SQLException {
        lockIfInitialised(connection);
        return row(connection, resource);
    }

    /** Without the table there is nothing to lock and no row to pass. */
    private void lockIfInitialised(Connection connection) throws SQLException {
        try {
            lock(connection);
        } catch (SQLException e) {
            if (!Sqlite.isMissingTable(e)) {
                throw e;
            }
            // which also says who knows the tables of long ago and is kept out of the file; to look there is to know
            if (SqliteSchema.isInitialised(connection)) {
                lock(connection);
            }
        }
    }

    /** Takes the write lock, if this transaction does not have it. */
    void lock(Connection connection) throws SQLException {
        Sqlite.execute(connection, "UPDATE main.signet_fence SET max_token = max_token WHERE 0");
    }

    @Override
    Optional<FenceRow> row(Connection connection, ResourceName resource) throws SQLException {
        String sql = "SELECT role, store_id, max_token, term_id FROM main.signet_fence WHERE resource = ?";
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, resource.name());
            try (ResultSet row = select.executeQuery()) {
                return row.next()
                        ? Optional.of(new FenceRow(
                                resource,
                                Role.of(row.getString(1)),
                                new StoreId(row.getString(2)),
                                row.getLong(3),
                                row.getString(4)))
                        : Optional.empty();
            }
        } catch (SQLException e) {
            if (Sqlite.isMissingTable(e)) {
                return Optional.empty();
            }
            throw e;
        } catch (IllegalArgumentException e) {
            throw new SQLException("the fence row is damaged: " + e.getMessage(), e);
        }
    }

    /**
     * What follows cannot be committed where the connection enforces foreign keys: one is broken that is looked at in COMMIT,
     * and gone with the rollback. SQLite has nothing else that ends with a transaction.
     */
    @Override
    public void undo(Connection connection) throws SQLException {
        connection.rollback();
        if (Sqlite.text(connection, "PRAGMA foreign_keys").orElse("0").equals("1")) {
            Sqlite.execute(
                    connection,
                    "CREATE TEMP TABLE signet_refused (write INTEGER PRIMARY KEY, roll_back INTEGER"
                            + " REFERENCES signet_refused DEFERRABLE INITIALLY DEFERRED)");
            Sqlite.execute(connection, "INSERT INTO temp.signet_refused VALUES (1, 2)");
        }
    }

    @Override
    public void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("the connection is in autocommit mode, where the check ends before the"
                    + " write begins; call setAutoCommit(false) first");
        }
        if (!hadTransaction(connection)) {
            throw new IllegalStateException("SQLite has ended this transaction by itself (OR ROLLBACK, RAISE(ROLLBACK),"
                    + " an I/O error or a COMMIT in the SQL), and what ran since was committed statement by statement;"
                    + " roll back after any error, and run the whole transaction again");
        }
    }

    @Override
    public boolean hadTransaction(Connection connection) throws SQLException {
        try {
            Sqlite.execute(connection, "BEGIN");
            return false;
        } catch (SQLException e) {
            if (Sqlite.is(e, SQLiteErrorCode.SQLITE_ERROR)) {
                return true; // "cannot start a transaction within a transaction": SQLite has no better way to ask
            }
            throw e;
        }
    }

    @Override
    public void mark(Connection connection, Stamp stamp) throws SQLException {
        Sqlite.execute(connection, "SAVEPOINT " + MARK);
    }

    /** Whether this still is the transaction that was marked, with all that it wrote. */
    boolean isMarked(Connection connection) {
        try {
            Sqlite.execute(connection, "RELEASE " + MARK);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void commit(Connection connection, Stamp stamp, Deadline deadline) throws SQLException {
        if (!isMarked(connection)) {
            throw new EndedEarlyException();
        }
        Sqlite.commit(connection::commit, deadline);
    }

    @Override
    public boolean isTransient(SQLException failure) {
        return Sqlite.isBusy(failure);
    }

    @Override
    public Enforcement enforcement() {
        return new SqliteEnforcement(triggers);
    }
}
