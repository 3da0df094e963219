package dev.signet.fence.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.h2.jdbcx.JdbcDataSource;

/** A ledger in a new database in memory. */
final class H2Site extends JdbcSite {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private H2Site(JdbcDataSource source, Dialect dialect) {
        super(
                source,
                dialect,
                JdbcFenceOptions.DEFAULTS,
                "CREATE TABLE ledger (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, what VARCHAR UNIQUE, amount BIGINT,"
                        + " signet_token BIGINT, signet_term VARCHAR)",
                Duration.ofSeconds(-1),
                () -> {});
    }

    static H2Site of(Function<JdbcFenceOptions, Dialect> dialect) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:fence" + DATABASES.incrementAndGet() + ";DB_CLOSE_DELAY=-1");
        return new H2Site(source, dialect.apply(JdbcFenceOptions.DEFAULTS));
    }

    @Override
    public void close() {
        execute("SHUTDOWN");
        super.close();
    }

    @Override
    JdbcWriter writer(JdbcFence of, Connection connection) {
        return new JdbcWriter(of, connection) {
            /** Behind another statement. */
            @Override
            public void endUnseen() {
                execute("SET @unseen = 1; CREATE TABLE unseen (i INT)");
            }
        };
    }
}
