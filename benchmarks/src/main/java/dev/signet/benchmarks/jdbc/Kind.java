package dev.signet.benchmarks.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.signet.Namespace;
import dev.signet.benchmarks.contest.Contender;
import dev.signet.benchmarks.contest.SignetContender;
import dev.signet.benchmarks.contest.Timing;
import dev.signet.benchmarks.server.Arena;
import dev.signet.store.jdbc.DriverDataSource;
import dev.signet.store.jdbc.JdbcStore;
import dev.signet.store.jdbc.JdbcStoreOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;

/** Who is compared. */
enum Kind {
    SIGNET("Signet") {
        @Override
        Contender open(String url, Timing timing, Contender.Elected elected) {
            return new SignetContender(
                    JdbcStore.open(
                            DriverDataSource.of(url),
                            Namespace.DEFAULT,
                            JdbcStoreOptions.defaults()
                                    .withAttempt(timing.signet().attemptTimeout())),
                    timing,
                    elected);
        }

        @Override
        void setUp(String url) {
            JdbcStore.init(DriverDataSource.of(url));
        }

        @Override
        String renewals(Timing timing) {
            return "SELECT convert_from(r.name, 'UTF8'), (s.ends_at_nanos - s.lease_nanos) / 1000"
                    + " FROM signet_role r JOIN signet_session s ON s.number = r.holder";
        }
    },

    SHEDLOCK("ShedLock, tried every period") {
        @Override
        Contender open(String url, Timing timing, Contender.Elected elected) {
            return new ShedLockContender(url, timing, elected);
        }

        @Override
        void setUp(String url) throws SQLException {
            execute(
                    url,
                    "CREATE TABLE shedlock (name VARCHAR(64) NOT NULL, lock_until TIMESTAMP NOT NULL,"
                            + " locked_at TIMESTAMP NOT NULL, locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name))");
        }

        @Override
        String renewals(Timing timing) {
            return "SELECT name, (extract(epoch FROM lock_until) * 1000000)::bigint - "
                    + timing.lease().toMillis() * 1_000 + " FROM shedlock";
        }
    },

    SPRING("Spring Integration") {
        @Override
        Contender open(String url, Timing timing, Contender.Elected elected) {
            return new SpringContender(url, timing.lease(), Duration.ofMillis(500), Duration.ofMillis(100), elected);
        }

        @Override
        void setUp(String url) throws SQLException {
            execute(url, SPRING_TABLE);
        }

        @Override
        String renewals(Timing timing) {
            return SPRING_RENEWALS;
        }

        @Override
        String key(String role) {
            return UUID.nameUUIDFromBytes(role.getBytes(UTF_8)).toString();
        }
    },

    SPRING_BY_PERIOD("Spring Integration, tried every period") {
        @Override
        Contender open(String url, Timing timing, Contender.Elected elected) {
            return new SpringContender(url, timing.lease(), timing.period(), timing.period(), elected);
        }

        @Override
        void setUp(String url) throws SQLException {
            SPRING.setUp(url);
        }

        @Override
        String renewals(Timing timing) {
            return SPRING.renewals(timing);
        }

        @Override
        String key(String role) {
            return SPRING.key(role);
        }
    };

    /** Of Spring Integration's own schema. */
    private static final String SPRING_TABLE =
            "CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID CHAR(36),"
                    + " CREATED_DATE TIMESTAMP NOT NULL, CONSTRAINT INT_LOCK_PK PRIMARY KEY (LOCK_KEY, REGION))";

    private static final String SPRING_RENEWALS =
            "SELECT lock_key, (extract(epoch FROM created_date) * 1000000)::bigint FROM int_lock";

    private final String label;

    Kind(String label) {
        this.label = label;
    }

    abstract Contender open(String url, Timing timing, Contender.Elected elected);

    /** Makes the tables, in an empty database. */
    abstract void setUp(String url) throws SQLException;

    /** @return the URL of a new database with the tables */
    String prepare(Arena arena, String database) throws SQLException {
        String url = arena.newDatabase(database);
        setUp(url);
        return url;
    }

    /** Asks when each role that is held was renewed last: its {@link #key} and microseconds of the wall clock. */
    abstract String renewals(Timing timing);

    /** What names the role in the database. */
    String key(String role) {
        return role;
    }

    String databaseFor(String what) {
        return (name() + "_" + what).toLowerCase(Locale.ROOT);
    }

    static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public String toString() {
        return label;
    }
}
