package dev.signet.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a store's database, with the statements that were prepared on it. Used by one thread at a time.
 *
 * <p>Nothing here waits for a lock that another may keep: whoever cannot have one asks again by itself, see {@link Lane}.
 */
abstract class Link implements AutoCloseable {

    private final Connection connection;
    private final Dialect dialect;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    Link(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    final Connection connection() {
        return connection;
    }

    final Dialect dialect() {
        return dialect;
    }

    /** What leases are judged by, in the transaction that was begun last. */
    abstract LeaseClock clock() throws SQLException;

    /** No transaction waits for the database longer than this; there it may go on. */
    abstract void limit(long nanos) throws SQLException;

    /** @param durably whether it must be on the disk when it is committed */
    abstract void beginWriting(boolean durably) throws SQLException;

    /** Begins a transaction in which all reads see one state. It neither waits for a writer nor holds one up. */
    abstract void beginReading() throws SQLException;

    abstract void commit() throws SQLException;

    /** Ends the transaction, if one is open, without its effects. */
    abstract void rollback() throws SQLException;

    /**
     * Inserts what {@link #lock} is to find, in a transaction of its own, before anything else is done in this one. Does
     * nothing where a transaction has locked everything anyway.
     */
    abstract void insertForLocking(String sql, @Nullable Object... values) throws SQLException;

    /**
     * Sees to it that nobody else changes a row until the transaction ends.
     *
     * @param row what follows FROM
     * @return false if another has it locked; true also if there is no such row
     */
    abstract boolean lock(String row, @Nullable Object... values) throws SQLException;

    /** The same with a number in the row that is locked; empty if another has it locked, or if there is no such row. */
    abstract OptionalLong lockNumber(String column, String row, @Nullable Object... values) throws SQLException;

    /** A record that is written now has a version above this; so has any that was not yet committed {@link #latecomers} ago. */
    abstract long version() throws SQLException;

    /** How far below {@link #version()} the versions may lie that are not committed yet. */
    abstract long latecomers();

    /** Whether anything may have been committed by others since this was asked last. */
    abstract boolean mayHaveNews() throws SQLException;

    /**
     * Waits until there may be news, for at most as long.
     *
     * @param called whether somebody in this process has called, who also unparks this thread
     */
    abstract void awaitNews(long nanos, BooleanSupplier called) throws SQLException;

    /** Tells whoever watches the namespace, with the commit, that something has changed there; if that can be told. */
    abstract void announce(String namespace);

    final void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Of a statement whose rows, if any, nobody wants to see. */
    final void executePrepared(String sql, @Nullable Object... values) throws SQLException {
        bound(sql, values).execute();
    }

    /** How many rows it changed. */
    final int update(String sql, @Nullable Object... values) throws SQLException {
        return bound(sql, values).executeUpdate();
    }

    /** The caller closes the rows. */
    final ResultSet query(String sql, @Nullable Object... values) throws SQLException {
        return bound(sql, values).executeQuery();
    }

    final long number(String sql, @Nullable Object... values) throws SQLException {
        OptionalLong found = anyNumber(sql, values);
        if (found.isEmpty()) {
            throw new SQLException("no row from: " + sql);
        }
        return found.getAsLong();
    }

    /** Of the first row; empty if there is none. */
    final OptionalLong anyNumber(String sql, @Nullable Object... values) throws SQLException {
        try (ResultSet rows = query(sql, values)) {
            return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
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

    /** Ends it at once, also while another thread waits in it. Safe to call from any thread. */
    abstract void abort();

    final void closeStatements() throws SQLException {
        for (PreparedStatement statement : prepared.values()) {
            statement.close();
        }
        prepared.clear();
    }

    @Override
    public abstract void close() throws SQLException;
}
