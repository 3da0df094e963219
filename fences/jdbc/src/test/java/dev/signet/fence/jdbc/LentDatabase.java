package dev.signet.fence.jdbc;

import dev.signet.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL database, empty, and sessions of it, as new. Both are lent: to make a session takes longer than a statement, and to
 * make a database longer than most tests. No session outlives the loan of its database: what a session has once set is afterwards
 * empty, and no longer nothing, and each test begins with nothing.
 */
final class LentDatabase extends PGSimpleDataSource implements AutoCloseable {

    private static final long serialVersionUID = 1L;

    private static final String END_OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND pid <> pg_backend_pid()";

    private static final String PREPARED = "SELECT 'ROLLBACK PREPARED ' || quote_literal(gid) FROM pg_prepared_xacts"
            + " WHERE database = current_database()";

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
    private static final Map<PostgresServer, Deque<String>> WIPED = new ConcurrentHashMap<>();

    private final transient Deque<String> wiped;
    private final transient Deque<Connection> idle = new ConcurrentLinkedDeque<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final String name;

    LentDatabase(PostgresServer server) {
        wiped = WIPED.computeIfAbsent(server, unused -> new ConcurrentLinkedDeque<>());
        String again = wiped.poll();
        name = again == null ? "lent" + NUMBERS.incrementAndGet() : again;
        setUrl(again == null ? server.createDatabase(name) : server.jdbcUrl(name));
        setAssumeMinServerVersion("12"); // then what the driver sets comes with the session, and DISCARD ALL keeps it
    }

    String name() {
        return name;
    }

    /** After {@link #close} none, lest whoever comes late meddles with the next borrower. */
    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = session();
        if (over.get()) {
            connection.close();
            throw new SQLNonTransientConnectionException("database " + name + " was given back");
        }
        return LentConnection.of(connection, this::takeBack);
    }

    private Connection session() throws SQLException {
        for (Connection kept = idle.poll(); kept != null; kept = idle.poll()) {
            if (kept.isValid(0)) {
                return kept;
            }
            kept.close(); // its server was stopped
        }
        return super.getConnection();
    }

    /** What is open is rolled back, as it is where a session ends: to turn autocommit on would commit it. */
    private void takeBack(Connection connection) throws SQLException {
        if (over.get()) {
            connection.close();
            return;
        }
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
            connection.setReadOnly(false);
            Postgres.execute(connection, "ROLLBACK");
            Postgres.execute(connection, "DISCARD ALL");
            idle.push(connection);
        } catch (SQLException e) {
            connection.close(); // the server has ended it
        }
    }

    /** Ends whatever of it is still in use, and its sessions. Idempotent. */
    @Override
    public void close() {
        if (over.getAndSet(true)) {
            return;
        }
        try (Connection last = session()) {
            Postgres.execute(last, END_OTHERS);
            for (String one = Postgres.text(last, PREPARED); !one.isEmpty(); one = Postgres.text(last, PREPARED)) {
                Postgres.execute(last, one);
            }
            Postgres.execute(last, WIPE);
            wiped.push(name);
        } catch (SQLException e) {
            return; // what stands in the way of being wiped is not lent again
        } finally {
            endIdle();
        }
    }

    private void endIdle() {
        for (Connection kept = idle.poll(); kept != null; kept = idle.poll()) {
            try {
                kept.close();
            } catch (SQLException e) {
                continue; // it has ended already
            }
        }
    }
}
