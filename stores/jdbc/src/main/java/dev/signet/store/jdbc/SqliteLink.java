package dev.signet.store.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteOpenMode;

/**
 * A connection to a file. A transaction that writes has the one write lock of the whole file from its start, so nothing in it
 * needs a lock of its own.
 *
 * <p>SQLite's own busy handler sleeps in ever longer steps, so that under contention the late ones starve; it is off.
 */
final class SqliteLink extends Link {

    private static final Dialect DIALECT = new Dialect() {
        @Override
        public String insertIfAbsent(String rest) {
            return "INSERT OR IGNORE INTO " + rest;
        }

        @Override
        public String upsert(String table, List<String> keys, List<String> values) {
            return Upsert.onConflict(table, keys, values);
        }
    };

    private final LeaseClock clock;
    private boolean durable = true;
    private boolean inTransaction;
    private long dataVersion = -1;

    private SqliteLink(Connection connection, LeaseClock clock) {
        super(connection, DIALECT);
        this.clock = clock;
    }

    static SqliteLink to(Path file) throws SQLException {
        return to(file, LeaseClock.of(HostClock.system()));
    }

    /** Opens a file that is there; it is not looked into yet. */
    static SqliteLink to(Path file, LeaseClock clock) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(0);
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        // as a URI: the driver cuts a plain name at its first '?'
        return new SqliteLink(
                config.createConnection("jdbc:sqlite:file:" + file.toUri().getRawPath()), clock);
    }

    /** Whether somebody else has the lock, so that asking again helps. */
    static boolean isBusy(SQLException fault) {
        int code = fault.getErrorCode() & 0xff;
        return code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code;
    }

    @Override
    LeaseClock clock() {
        return clock;
    }

    /** SQLite never waits. */
    @Override
    void limit(long nanos) {}

    /** Has the write lock afterwards, or fails at once with SQLITE_BUSY. */
    @Override
    void beginWriting(boolean durably) throws SQLException {
        if (durable != durably) {
            execute(durably ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
            durable = durably;
        }
        begin("BEGIN IMMEDIATE");
    }

    @Override
    void beginReading() throws SQLException {
        begin("BEGIN");
    }

    private void begin(String sql) throws SQLException {
        executePrepared(sql);
        inTransaction = true;
    }

    @Override
    void commit() throws SQLException {
        executePrepared("COMMIT");
        inTransaction = false;
    }

    @Override
    void rollback() throws SQLException {
        if (inTransaction) {
            inTransaction = false;
            executePrepared("ROLLBACK");
        }
    }

    @Override
    void insertForLocking(String sql, @Nullable Object... values) {}

    @Override
    boolean lock(String row, @Nullable Object... values) {
        return true;
    }

    @Override
    OptionalLong lockNumber(String column, String row, @Nullable Object... values) throws SQLException {
        return anyNumber("SELECT " + column + " FROM " + row, values);
    }

    /** The highest of the file: there is one writer at a time. */
    @Override
    long version() throws SQLException {
        return number("SELECT coalesce(max(version), 0) FROM signet_role");
    }

    @Override
    long latecomers() {
        return 0;
    }

    @Override
    boolean mayHaveNews() throws SQLException {
        long before = dataVersion;
        dataVersion = number("PRAGMA data_version");
        return dataVersion != before;
    }

    @Override
    void awaitNews(long nanos, BooleanSupplier called) {
        if (!called.getAsBoolean()) {
            LockSupport.parkNanos(this, nanos);
        }
    }

    /** {@link #mayHaveNews} tells. */
    @Override
    void announce(String namespace) {}

    @Override
    void abort() {}

    @Override
    public void close() throws SQLException {
        connection().close();
    }
}
