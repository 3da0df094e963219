package dev.signet.store.jdbc;

import dev.signet.Namespace;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A database of its own with a store in it, and everything that a test opens there, which closes with it. Thread-safe. */
final class Site implements AutoCloseable {

    static final JdbcStoreOptions OPTIONS =
            JdbcStoreOptions.defaults().withAttempt(Duration.ofSeconds(1)).withPollInterval(Duration.ofMillis(200));

    /** Where the host may be too busy for that, and nothing is to be ended by the server. */
    static final JdbcStoreOptions PATIENT = OPTIONS.withAttempt(Duration.ofSeconds(20));

    private static final AtomicInteger DATABASES = new AtomicInteger();

    final Product product;
    final String url;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private Site(Product product, String url) {
        this.product = product;
        this.url = url;
    }

    static Site on(Product product) {
        Site site = empty(product);
        JdbcStore.init(site.connections());
        return site;
    }

    /** Without a store. */
    static Site empty(Product product) {
        return new Site(product, product.shared().createDatabase("site" + DATABASES.incrementAndGet()));
    }

    DriverDataSource connections() {
        return DriverDataSource.of(url);
    }

    JdbcStore store() {
        return store(Disturbance.NONE);
    }

    JdbcStore store(Disturbance disturbance) {
        return store(disturbance, PATIENT);
    }

    JdbcStore store(Disturbance disturbance, JdbcStoreOptions options) {
        return closing(JdbcStore.open(
                disturbance == Disturbance.NONE
                        ? connections()
                        : DisturbedDataSource.of(connections(), product, disturbance),
                Namespace.DEFAULT,
                options));
    }

    /** A candidate at a store of its own. */
    Ask candidate(Duration lease) {
        return new Ask(store()).open(lease);
    }

    /** In the midst of a transaction of the level that the store has, which locks what it reads and nothing beside it. */
    Connection transaction() throws SQLException {
        Connection connection = closing(connections().getConnection());
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
        return connection;
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = connections().getConnection()) {
            execute(connection, sql);
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(String sql) throws SQLException {
        try (Connection connection = connections().getConnection()) {
            return Product.number(connection, sql);
        }
    }

    synchronized <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    /** Far more often than what is waited for happens. */
    static void await(String what, Duration most, BooleanSupplier happened) {
        long began = System.nanoTime();
        while (!happened.getAsBoolean()) {
            if (System.nanoTime() - began > most.toNanos()) {
                throw new AssertionError(what + ": not within " + most);
            }
            pause(Duration.ofMillis(2));
        }
    }

    static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis(), time.toNanosPart() % 1_000_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    @Override
    public synchronized void close() {
        for (AutoCloseable each : opened) {
            try {
                each.close();
            } catch (Exception e) {
                // a connection that was ended by the test closes as it likes
                continue;
            }
        }
        opened.clear();
    }
}
