package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The fence on PostgreSQL. What seals and what checks are functions in the database ({@code postgresql.sql}), which are the same
 * for psql, for a script in whatever language, and for this class: one round trip each.
 *
 * <p>A seal is one statement that commits by itself: a process that is stopped in its midst keeps no lock. A transaction of our
 * own is committed together with the question whether it still is the one in which the stamp was admitted.
 */
class PostgresDialect implements Dialect {

    private static final int OLDEST_VERSION = 120_000;
    private static final String NO_TRANSACTION = "25P01";
    private static final String ENDED_EARLY = "signet: ENDED_EARLY";

    /**
     * What signet_admit has set goes with its transaction; a session may carry the stamp, too, but not how long it may stand still.
     * The number that is none raises: by a function of our own, there would be one more to grant, and to find by a search path that
     * the work may have changed. The planner must not see beforehand that it is none, and so it is asked for the time.
     */
    private static final String STILL =
            "SELECT CASE WHEN current_setting('signet.token', true) = ? AND current_setting('signet.term_id', true) = ?"
                    + " AND current_setting('signet.longest_idle', true) <> '' THEN 0"
                    + " ELSE ('" + ENDED_EARLY + ", seen at ' || now())::integer END";

    private final String script;
    private final Duration longestIdle;
    private final PostgresTriggers triggers;

    PostgresDialect(Duration longestIdle) {
        this(PostgresSchema.script(), longestIdle);
    }

    PostgresDialect(String script, Duration longestIdle) {
        this(script, longestIdle, new PostgresTriggers());
    }

    PostgresDialect(String script, Duration longestIdle, PostgresTriggers triggers) {
        this.script = script;
        this.longestIdle = longestIdle;
        this.triggers = triggers;
    }

    @Override
    public void accept(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                        "SELECT current_setting('server_version_num')::int, pg_is_in_recovery()");
                ResultSet row = select.executeQuery()) {
            row.next();
            if (row.getInt(1) < OLDEST_VERSION) {
                throw new SQLException("this server has version " + row.getInt(1) + "; a fence needs 12 or newer");
            }
            if (row.getBoolean(2)) {
                throw new SQLException("this server is a replica, for reading only; name the primary");
            }
        }
    }

    @Override
    public FenceView init(Connection connection, ResourceName resource, Role role, StoreId storeId, Deadline deadline)
            throws SQLException {
        connection.setAutoCommit(false);
        try {
            PostgresSchema.init(connection, script, resource, role, storeId);
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
        return look(connection, resource).orElseThrow(() -> new SQLException("the row was deleted at once"));
    }

    @Override
    public void reset(
            Connection connection, ResourceName resource, Role role, StoreId storeId, String reason, Deadline deadline)
            throws SQLException {
        Postgres.inTransaction(
                connection, deadline, () -> PostgresSchema.reset(connection, resource, role, storeId, reason));
    }

    @Override
    public Optional<FenceView> look(Connection connection, ResourceName resource) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT * FROM signet_view(?)")) {
            select.setString(1, resource.name());
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? view(resource, row) : Optional.empty();
            }
        } catch (SQLException e) {
            if (Postgres.isNoFunction(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static Optional<FenceView> view(ResourceName resource, ResultSet row) throws SQLException {
        String role = row.getString("role");
        return role == null
                ? Optional.empty()
                : Optional.of(new FenceView(
                        resource,
                        Role.of(role),
                        new StoreId(row.getString("store_id")),
                        row.getLong("highest"),
                        Optional.ofNullable(row.getString("term_digest")),
                        List.of()));
    }

    /** The time-out is the server's own, of this one statement, and gone with its transaction. */
    @Override
    public Raised raise(Connection connection, ResourceName resource, Stamp stamp, long maxJump, Deadline deadline)
            throws SQLException {
        String sql = "SELECT " + timeOut() + ";"
                + " SELECT refusal, now_role AS role, now_store_id AS store_id, highest, term_digest"
                + " FROM signet_raise(?, ?, ?, ?, ?, ?)";
        try (PreparedStatement raise = connection.prepareStatement(sql)) {
            raise.setString(1, Long.toString(Math.max(1, deadline.nanosLeft() / 1_000_000)));
            raise.setString(2, resource.name());
            raise.setString(3, stamp.role().name());
            raise.setString(4, stamp.storeId().value());
            raise.setLong(5, stamp.token().value());
            raise.setString(6, stamp.termId().secret());
            raise.setLong(7, maxJump);
            raise.execute();
            raise.getMoreResults();
            try (ResultSet row = raise.getResultSet()) {
                row.next();
                return new Raised(
                        Optional.ofNullable(row.getString("refusal")).map(Refusal::valueOf), view(resource, row));
            }
        } catch (SQLException e) {
            if (Postgres.isNoFunction(e)) {
                return new Raised(Optional.of(Refusal.NOT_INITIALISED), Optional.empty());
            }
            throw Postgres.explained(e);
        }
    }

    @Override
    public OptionalLong session(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT pg_backend_pid()");
                ResultSet row = select.executeQuery()) {
            row.next();
            return OptionalLong.of(row.getLong(1));
        }
    }

    @Override
    public List<Blocker> blockers(Connection other, long waiting) throws SQLException {
        return PostgresBlockers.find(other, waiting);
    }

    @Override
    public void end(Connection other, Blocker blocker) throws SQLException {
        PostgresBlockers.end(other, blocker);
    }

    /** Of all that a seal waits for together; one for each lock would add up. */
    String timeOut() {
        return "set_config('statement_timeout', ?, true), set_config('lock_timeout', '0', true)";
    }

    /** The driver sends BEGIN with the first statement. */
    @Override
    public void begin(Connection connection, Deadline deadline) throws SQLException {
        connection.setAutoCommit(false);
    }

    @Override
    public Verdict admit(Connection connection, ResourceName resource, Stamp stamp) throws SQLException {
        return PostgresCheck.ask(connection, PostgresCheck.ADMIT, resource, stamp, longestIdle);
    }

    @Override
    public Verdict check(Connection connection, ResourceName resource, Stamp stamp) throws SQLException {
        return PostgresCheck.ask(connection, PostgresCheck.CHECK, resource, stamp, longestIdle);
    }

    /** The check failed as a statement, so that the transaction ends in a rollback whatever is said. */
    @Override
    public void undo(Connection connection) {}

    /** A distributed transaction begins behind the driver's back, which leaves it in autocommit mode: the server knows. */
    @Override
    public void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit() && !hasOpenTransaction(connection)) {
            throw new IllegalStateException("the connection is in autocommit mode, where the check ends before the"
                    + " write begins; call setAutoCommit(false) first");
        }
    }

    private static boolean hasOpenTransaction(Connection connection) throws SQLException {
        try {
            Postgres.execute(connection, "SAVEPOINT signet_probe; RELEASE SAVEPOINT signet_probe");
            return true;
        } catch (SQLException e) {
            if (NO_TRANSACTION.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    /** After an error PostgreSQL takes nothing more before the rollback. */
    @Override
    public boolean hadTransaction(Connection connection) {
        return true;
    }

    /** It carries its stamp. */
    @Override
    public void mark(Connection connection, Stamp stamp) {}

    @Override
    public void commit(Connection connection, Stamp stamp, Deadline deadline) throws SQLException {
        try (PreparedStatement commit = connection.prepareStatement(still() + "; COMMIT")) {
            commit.setString(1, Long.toString(stamp.token().value()));
            commit.setString(2, stamp.termId().secret());
            commit.execute();
        } catch (SQLException e) {
            throw Objects.requireNonNullElse(e.getMessage(), "").contains(ENDED_EARLY)
                    ? new EndedEarlyException()
                    : Postgres.ofCommit(e);
        }
    }

    /** A query of a token and a term id that fails if this is not the transaction in which they were admitted. */
    String still() {
        return STILL;
    }

    @Override
    public boolean isTransient(SQLException failure) {
        String state = Objects.requireNonNullElse(failure.getSQLState(), "");
        return state.equals("40001") || state.equals("40P01") || state.equals("55P03");
    }

    @Override
    public Enforcement enforcement() {
        return new PostgresEnforcement(script, triggers);
    }
}
