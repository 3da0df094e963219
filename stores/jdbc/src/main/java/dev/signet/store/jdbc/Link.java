package dev.signet.store.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteOpenMode;

/**
 * One connection to the file, with the statements that were prepared on it. Used by one thread at a time.
 *
 * <p>It never waits for a lock: SQLite's own busy handler sleeps in ever longer steps, so that under contention the late
 * ones starve; whoever needs the lock asks again by itself, see {@link Retry}.
 */
final class Link implements AutoCloseable {

    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private boolean durable = true;
    private boolean inTransaction;

    private Link(Connection connection) {
        this.connection = connection;
    }

    /** Opens a file that is there; it is not looked into yet. */
    static Link to(Path file) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(0);
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        // as a URI: the driver cuts a plain name at its first '?'
        return new Link(
                config.createConnection("jdbc:sqlite:file:" + file.toUri().getRawPath()));
    }

    /** Begins a transaction that holds the write lock from the start, or fails at once with SQLITE_BUSY. */
    void beginWriting(boolean durably) throws SQLException {
        if (durable != durably) {
            execute(durably ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
            durable = durably;
        }
        begin("BEGIN IMMEDIATE");
    }

    /** Begins a transaction in which all reads see one state. It neither waits for a writer nor holds one up. */
    void beginReading() throws SQLException {
        begin("BEGIN");
    }

    private void begin(String sql) throws SQLException {
        statement(sql).execute();
        inTransaction = true;
    }

    void commit() throws SQLException {
        statement("COMMIT").execute();
        inTransaction = false;
    }

    /** Ends the transaction, if one is open, without its effects. */
    void rollback() throws SQLException {
        if (inTransaction) {
            inTransaction = false;
            statement("ROLLBACK").execute();
        }
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** How many rows it changed. */
    int update(String sql, @Nullable Object... values) throws SQLException {
        return bound(sql, values).executeUpdate();
    }

    /** The caller closes the rows. */
    ResultSet query(String sql, @Nullable Object... values) throws SQLException {
        return bound(sql, values).executeQuery();
    }

    long number(String sql, @Nullable Object... values) throws SQLException {
        try (ResultSet rows = query(sql, values)) {
            if (!rows.next()) {
                throw new SQLException("no row from: " + sql);
            }
            return rows.getLong(1);
        }
    }

    private PreparedStatement bound(String sql, @Nullable Object... values) throws SQLException {
        PreparedStatement statement = statement(sql);
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            if (value instanceof byte[] bytes) {
                statement.setBytes(i + 1, bytes);
            } else {
                statement.setObject(i + 1, value);
            }
        }
        return statement;
    }

    private PreparedStatement statement(String sql) throws SQLException {
        PreparedStatement known = prepared.get(sql);
        if (known == null) {
            known = connection.prepareStatement(sql);
            prepared.put(sql, known);
        }
        return known;
    }

    /** Whether somebody else has the lock, so that asking again helps. */
    static boolean isBusy(SQLException fault) {
        int code = fault.getErrorCode() & 0xff;
        return code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
