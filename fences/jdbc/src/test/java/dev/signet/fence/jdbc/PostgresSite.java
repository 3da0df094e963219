package dev.signet.fence.jdbc;

import dev.signet.servers.PostgresOptions;
import dev.signet.servers.PostgresServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/** A ledger in a new database of a PostgreSQL server. */
final class PostgresSite {

    static final String LEDGER =
            "CREATE TABLE ledger (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, what text UNIQUE,"
                    + " amount bigint, signet_token bigint, signet_term text)";

    /** As short as a story bears on a busy machine. */
    static final Duration LONGEST_IDLE = Duration.ofSeconds(2);

    static final PostgresOptions OPTIONS = PostgresOptions.defaults().withSetting("max_prepared_transactions", "20");

    private static final AtomicInteger NAMES = new AtomicInteger();

    private PostgresSite() {}

    static JdbcSite of(PostgresServer server, Dialect dialect) {
        return at(newDatabase(server), dialect, "");
    }

    static String newDatabase(PostgresServer server) {
        return server.createDatabase("fence" + NAMES.incrementAndGet());
    }

    /** In a new schema of a database, which takes less time than a new database: for one site at a time. */
    static JdbcSite in(String database, Dialect dialect) {
        String schema = "s" + NAMES.incrementAndGet();
        at(database, dialect, "CREATE SCHEMA " + schema).close();
        return at(database + "&currentSchema=" + schema, dialect, "");
    }

    /** Of a user who owns the database, and has no other right. */
    static JdbcSite ofOwner(PostgresServer server, Dialect dialect) {
        String name = "owner" + NAMES.incrementAndGet();
        server.createUser(name, "secret");
        server.createDatabase(name);
        server.execute("ALTER DATABASE " + name + " OWNER TO " + name);
        return at(server.jdbcUrl(name, name, "secret"), dialect, "");
    }

    static JdbcSite at(String url, Dialect dialect, String first) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        String made = first.isEmpty() ? LEDGER : first;
        return new JdbcSite(source, dialect, JdbcFenceOptions.DEFAULTS, made, LONGEST_IDLE, () -> {});
    }
}
