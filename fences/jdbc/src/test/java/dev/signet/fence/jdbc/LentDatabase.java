package dev.signet.fence.jdbc;

import dev.signet.servers.PostgresServer;
import dev.signet.servers.Servers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL database, empty, and sessions of it, as new. Both are lent: to make a session takes longer than a statement, and to
 * make a database longer than most tests.
 */
final class LentDatabase extends PGSimpleDataSource implements AutoCloseable {

    private static final long serialVersionUID = 1L;

    private static final String WIPE = """
            SET lock_timeout = '5s';
            DO $$
            DECLARE
                name text;
            BEGIN
                FOR name IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' LOOP
                    EXECUTE format('DROP SCHEMA %I CASCADE', name);
                END LOOP;
            END $$;
            CREATE SCHEMA public;
            GRANT USAGE ON SCHEMA public TO PUBLIC
            """;

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final Deque<String> WIPED = new ConcurrentLinkedDeque<>();

    private final transient PostgresServer server;
    private final transient Deque<Connection> idle = new ConcurrentLinkedDeque<>();
    private final String name;

    /** @param server whose databases are lent again if it is the one that all tests share */
    LentDatabase(PostgresServer server) {
        this.server = server;
        String wiped = server.equals(Servers.postgres()) ? WIPED.poll() : null;
        name = wiped == null ? "lent" + NUMBERS.incrementAndGet() : wiped;
        setUrl(wiped == null ? server.createDatabase(name) : server.jdbcUrl(name));
    }

    String name() {
        return name;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection kept = idle.poll();
        Connection connection = kept == null ? super.getConnection() : kept;
        AtomicBoolean closed = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        if (!closed.getAndSet(true)) {
                            takeBack(connection);
                        }
                        return null;
                    }
                    if (method.getName().equals("isClosed") && closed.get()) {
                        return true;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNullElse(e.getCause(), e);
                    }
                });
    }

    private void takeBack(Connection connection) throws SQLException {
        try {
            connection.setAutoCommit(true);
            Postgres.execute(connection, "ROLLBACK");
            Postgres.execute(connection, "DISCARD ALL");
            idle.push(connection);
        } catch (SQLException e) {
            connection.close(); // the server has ended it
        }
    }

    /** After its sessions. What stands in the way of being wiped is not lent again. */
    @Override
    public void close() throws SQLException {
        if (server.equals(Servers.postgres())) {
            try (Connection connection = getConnection()) {
                Postgres.execute(connection, WIPE);
                WIPED.push(name);
            }
        }
        while (!idle.isEmpty()) {
            idle.pop().close();
        }
    }
}
