package dev.signet.fence.jdbc;

import dev.signet.servers.PostgresOptions;
import dev.signet.servers.PostgresServer;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** A ledger in an empty database of a PostgreSQL server. */
final class PostgresSite extends JdbcSite {

    static final String LEDGER =
            "CREATE TABLE ledger (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, what text UNIQUE,"
                    + " amount bigint, signet_token bigint, signet_term text)";

    /** As short as a story bears on a busy machine. */
    static final Duration LONGEST_IDLE = Duration.ofSeconds(2);

    /** Of a server where transactions may be prepared. */
    static final PostgresOptions OPTIONS = PostgresOptions.defaults()
            .withSetting("max_prepared_transactions", "20")
            .withSetting("max_connections", "400");

    private static final AtomicInteger NAMES = new AtomicInteger();

    private static @Nullable PostgresServer shared;

    private final PGSimpleDataSource database;

    private PostgresSite(PGSimpleDataSource database, Dialect dialect) {
        super(database, dialect, JdbcFenceOptions.DEFAULTS, LEDGER, LONGEST_IDLE, () -> {});
        this.database = database;
    }

    /** With these options; for all tests that do not stop it, each in a database of its own. Ends with the JVM. */
    static synchronized PostgresServer server() {
        PostgresServer server = shared;
        if (server == null) {
            server = PostgresServer.start(OPTIONS);
            shared = server;
        }
        return server;
    }

    static PostgresSite of(PostgresServer server, Dialect dialect) {
        return new PostgresSite(new LentDatabase(server), dialect);
    }

    /** Of a user who owns the database, and has no other right. */
    static PostgresSite ofOwner(PostgresServer server, Dialect dialect) {
        String name = "owner" + NAMES.incrementAndGet();
        server.createUser(name, "secret");
        server.createDatabase(name);
        server.execute("ALTER DATABASE " + name + " OWNER TO " + name);
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(server.jdbcUrl(name, name, "secret"));
        return new PostgresSite(source, dialect);
    }

    @Override
    JdbcWriter writer(JdbcFence of, Connection connection) {
        return new JdbcWriter(of, connection) {
            @Override
            public Runnable prepare() {
                String name = database.getDatabaseName();
                execute("PREPARE TRANSACTION '" + name + "'");
                return () -> PostgresSite.this.execute("COMMIT PREPARED '" + name + "'");
            }
        };
    }

    /** The database first: with it end the sessions that a story has left waiting for each other. */
    @Override
    public void close() {
        if (database instanceof LentDatabase lent) {
            lent.close();
        }
        super.close();
    }
}
