package dev.signet.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to a server, set to our needs, and set back when it is closed: it may be of a pool.
 *
 * <p>Transactions that write run at READ COMMITTED, where each statement sees what was committed before it: what was locked is
 * then read as it is. Those that read see one state.
 */
final class ServerLink extends Link {

    /** The socket waits a little longer than the caller does, so that the server's own time-outs come first. */
    private static final long GRACE_MILLIS = 100;

    /** No transaction of ours lasts as long: its statements are few, and each is limited. */
    private static final long LATECOMERS_MICROS = 30_000_000;

    private static final Executor AT_ONCE = Runnable::run;
    private static final Logger LOG = LoggerFactory.getLogger(ServerLink.class);

    private final ServerDialect dialect;
    private final ServerClock serverClock;
    private final String namespace;
    private final Map<String, Object> settingsBefore = new LinkedHashMap<>();
    private final boolean autoCommitBefore;
    private final int isolationBefore;
    private final int networkTimeoutBefore;
    private String bootId = "";
    private boolean listening;
    private @Nullable LeaseClock clock;
    private @Nullable String announced;

    ServerLink(Connection connection, ServerDialect dialect, ServerClock serverClock, String namespace)
            throws SQLException {
        super(connection, dialect);
        this.dialect = dialect;
        this.serverClock = serverClock;
        this.namespace = namespace;
        this.autoCommitBefore = connection.getAutoCommit();
        this.isolationBefore = connection.getTransactionIsolation();
        this.networkTimeoutBefore = connection.getNetworkTimeout();
    }

    /** @return whether the server is for reading only */
    boolean prepare(Database.Use use, Duration attempt) throws SQLException {
        Connection connection = connection();
        connection.setNetworkTimeout(AT_ONCE, (int) (attempt.toMillis() + GRACE_MILLIS));
        connection.setAutoCommit(true);
        for (Map.Entry<String, Object> setting :
                dialect.settings(attempt, this::current).entrySet()) {
            settingsBefore.put(setting.getKey(), current(setting.getKey()));
            set(setting.getKey(), setting.getValue());
        }
        connection.setTransactionIsolation(
                use == Database.Use.WRITES
                        ? Connection.TRANSACTION_READ_COMMITTED
                        : Connection.TRANSACTION_REPEATABLE_READ);
        boolean readOnly;
        try (ResultSet row = query(dialect.identity())) {
            row.next();
            bootId = row.getString(1);
            readOnly = row.getBoolean(2);
        }
        if (use == Database.Use.WATCHES) {
            dialect.listen(this);
            listening = true;
        }
        connection.setAutoCommit(false);
        return readOnly;
    }

    private Object current(String setting) throws SQLException {
        try (ResultSet row = query(dialect.show(setting))) {
            row.next();
            return row.getObject(1);
        }
    }

    private void set(String setting, Object value) throws SQLException {
        executePrepared(dialect.set(setting), value);
    }

    @Override
    LeaseClock clock() throws SQLException {
        LeaseClock known = clock;
        if (known == null) {
            long asked = serverClock.ownNanos();
            known = serverClock.read(bootId, number(dialect.micros()) * 1_000, asked);
            clock = known;
        }
        return known;
    }

    @Override
    void limit(long nanos) throws SQLException {
        long millis = Math.max(0, nanos) / 1_000_000 + GRACE_MILLIS;
        connection().setNetworkTimeout(AT_ONCE, (int) Math.min(Integer.MAX_VALUE, millis));
    }

    /** The driver sends BEGIN with the first statement. */
    @Override
    void beginWriting(boolean durably) {
        begin();
    }

    @Override
    void beginReading() {
        begin();
    }

    private void begin() {
        clock = null;
        announced = null;
    }

    @Override
    void commit() throws SQLException {
        if (announced != null && dialect.announce().isPresent()) {
            executePrepared(dialect.announce().get(), announced);
        }
        connection().commit();
    }

    @Override
    void rollback() throws SQLException {
        connection().rollback();
    }

    /** One statement that commits by itself: a process that is stopped in its midst cannot keep the others out. */
    @Override
    void insertForLocking(String sql, @Nullable Object... values) throws SQLException {
        connection().setAutoCommit(true);
        try {
            update(sql, values);
        } finally {
            connection().setAutoCommit(false);
        }
    }

    /**
     * Does not wait: a process that was stopped in a transaction keeps its locks until the server ends it, and all that queue
     * behind it would keep theirs.
     */
    @Override
    boolean lock(String row, @Nullable Object... values) throws SQLException {
        return lockNumber("1", row, values).isPresent()
                || anyNumber("SELECT 1 FROM " + row, values).isEmpty();
    }

    @Override
    OptionalLong lockNumber(String column, String row, @Nullable Object... values) throws SQLException {
        return anyNumber("SELECT " + column + " FROM " + row + " FOR UPDATE SKIP LOCKED", values);
    }

    /** The server's clock, so that what changed lately can be asked for without a counter that all writers queue for. */
    @Override
    long version() throws SQLException {
        return clock().nanos() / 1_000;
    }

    @Override
    long latecomers() {
        return LATECOMERS_MICROS;
    }

    @Override
    boolean mayHaveNews() {
        return true;
    }

    @Override
    void awaitNews(long nanos, BooleanSupplier called) throws SQLException {
        dialect.await(connection(), namespace::equals, called, nanos);
    }

    @Override
    void announce(String changed) {
        announced = changed;
    }

    @Override
    void abort() {
        try {
            connection().abort(AT_ONCE);
        } catch (SQLException e) {
            LOG.debug("a connection could not be aborted", e);
        }
    }

    /** The next to use the connection finds nothing of ours; where that cannot be seen to, there is no next. */
    @Override
    public void close() throws SQLException {
        Connection connection = connection();
        try {
            if (!connection.isClosed()) {
                restore(connection);
            }
        } catch (SQLException e) {
            LOG.debug("a connection could not be set back, and is given up", e);
            abort();
        } finally {
            connection.close();
        }
    }

    private void restore(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
        if (listening) {
            dialect.unlisten(this);
        }
        for (Map.Entry<String, Object> setting : settingsBefore.entrySet()) {
            set(setting.getKey(), setting.getValue());
        }
        closeStatements();
        connection.setTransactionIsolation(isolationBefore);
        connection.setAutoCommit(autoCommitBefore);
        connection.setNetworkTimeout(AT_ONCE, networkTimeoutBefore);
    }
}
