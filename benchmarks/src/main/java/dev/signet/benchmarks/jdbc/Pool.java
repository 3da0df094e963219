package dev.signet.benchmarks.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.signet.benchmarks.server.Threads;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** The connections of a peer, ten as is this pool's default, and as many threads where it has none of its own. */
final class Pool {

    static final int SIZE = 10;

    private Pool() {}

    static HikariDataSource to(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(SIZE);
        return new HikariDataSource(config);
    }

    /** Returns at once. */
    static void each(List<String> roles, Consumer<String> work) {
        ExecutorService workers = Executors.newFixedThreadPool(SIZE, Threads::daemon);
        roles.forEach(role -> workers.execute(() -> work.accept(role)));
        workers.shutdown();
    }
}
