package dev.signet.fence.jdbc;

import dev.signet.servers.MariaDbServer;
import dev.signet.servers.Servers;
import dev.signet.testkit.FenceWriter;
import dev.signet.testkit.IsolationLevel;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.mariadb.jdbc.MariaDbDataSource;

/** A ledger in a new database of the server that all tests share. */
final class MariaDbSite extends JdbcSite {

    /** The server counts in whole seconds. */
    static final Duration LONGEST_IDLE = Duration.ofSeconds(1);

    static final JdbcFenceOptions OPTIONS = JdbcFenceOptions.DEFAULTS.withLongestIdle(LONGEST_IDLE);

    private static final String USER = "ledger";
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final String database;
    private final User user;

    /** Whose fence runs as this user. */
    enum User {
        /** May do what it likes in its database, and nothing beside. */
        OWNER,
        /** May see and end whoever blocks it, too. */
        ENDS_BLOCKERS
    }

    private MariaDbSite(String database, User user, Dialect dialect, Duration longestHeldUp) {
        super(
                source(database, user),
                dialect,
                OPTIONS,
                "CREATE TABLE ledger (id BIGINT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(100) UNIQUE, amount BIGINT,"
                        + " signet_token BIGINT, signet_term VARCHAR(100)) ENGINE = InnoDB",
                longestHeldUp,
                () -> Servers.mariaDb().execute("DROP DATABASE " + database));
        this.database = database;
        this.user = user;
    }

    static MariaDbSite of(User user, Function<JdbcFenceOptions, Dialect> dialect) {
        String database = "fence" + DATABASES.incrementAndGet();
        Servers.mariaDb().createDatabase(database);
        // nothing but a KILL reaches a transaction of the application's own
        Duration longest = user == User.ENDS_BLOCKERS ? LONGEST_IDLE : Duration.ofSeconds(-1);
        return new MariaDbSite(database, user, dialect.apply(OPTIONS), longest);
    }

    private static MariaDbDataSource source(String database, User user) {
        return asking(() -> new MariaDbDataSource(url(database, user)));
    }

    private static String url(String database, User user) {
        MariaDbServer server = Servers.mariaDb();
        return user == User.OWNER ? Owner.url(server, database) : server.jdbcUrl(database);
    }

    String database() {
        return database;
    }

    /** Where its connections lead. */
    String url() {
        return url(database, user);
    }

    /** Made once. */
    private static final class Owner {
        static {
            Servers.mariaDb().createUser(USER, "secret");
            Servers.mariaDb().execute("GRANT ALL ON `fence%`.* TO " + USER + "@'%'");
        }

        static String url(MariaDbServer server, String database) {
            return server.jdbcUrl(database, USER, "secret");
        }
    }

    @Override
    public Duration longestHeldUpInside() {
        return LONGEST_IDLE;
    }

    /** By what an application server's transaction manager sends. */
    @Override
    public FenceWriter beginToPrepare(IsolationLevel level) {
        Writer writer = (Writer) begin(level);
        writer.execute("XA START '" + database + "'");
        return writer;
    }

    @Override
    JdbcWriter writer(JdbcFence of, Connection connection) {
        return new Writer(of, connection);
    }

    private final class Writer extends JdbcWriter {

        Writer(JdbcFence fence, Connection connection) {
            super(fence, connection);
        }

        /** Where nobody who reads the statement looks. */
        @Override
        public void endUnseen() {
            execute("EXECUTE IMMEDIATE 'CREATE OR REPLACE TABLE unseen (i INT)'");
        }

        @Override
        public Runnable prepare() {
            execute("XA END '" + database + "'");
            execute("XA PREPARE '" + database + "'");
            return () -> MariaDbSite.this.execute("XA COMMIT '" + database + "'");
        }
    }
}
