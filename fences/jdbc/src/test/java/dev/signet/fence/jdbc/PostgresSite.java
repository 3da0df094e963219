package dev.signet.fence.jdbc;

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

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private PostgresSite() {}

    static JdbcSite of(PostgresServer server, Dialect dialect) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(server.createDatabase("fence" + DATABASES.incrementAndGet()));
        return new JdbcSite(source, dialect, JdbcFenceOptions.DEFAULTS, LEDGER, LONGEST_IDLE, () -> {});
    }
}
