package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.store.Grant;
import dev.signet.store.StoreRefusal.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store on connections of a pool that the application has anyway. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class PoolTest {

    private static final Role LEDGER = Role.of("ledger");

    /** Settings of the application's own, none of which a store would choose. */
    private static String theirs(Product product) {
        return switch (product) {
            case POSTGRESQL ->
                "SELECT set_config('statement_timeout', '77s', false), set_config('lock_timeout', '66s', false),"
                        + " set_config('idle_in_transaction_session_timeout', '55s', false),"
                        + " set_config('synchronous_commit', 'off', false), set_config('TimeZone', 'Asia/Tokyo', false)";
            case MARIADB ->
                "SET SESSION max_statement_time = 77, innodb_lock_wait_timeout = 66, idle_transaction_timeout = 55,"
                        + " sql_mode = 'ANSI_QUOTES', time_zone = '+09:00'";
        };
    }

    /** As the server has them. */
    private static String settings(Product product) {
        return switch (product) {
            case POSTGRESQL ->
                "SELECT pg_backend_pid(), current_setting('statement_timeout'), current_setting('lock_timeout'),"
                        + " current_setting('idle_in_transaction_session_timeout'), current_setting('synchronous_commit'),"
                        + " current_setting('TimeZone'), current_setting('transaction_isolation'),"
                        + " (SELECT count(*) FROM pg_listening_channels())";
            case MARIADB ->
                "SELECT CONNECTION_ID(), @@session.max_statement_time, @@session.innodb_lock_wait_timeout,"
                        + " @@session.idle_transaction_timeout, @@session.sql_mode, @@session.time_zone,"
                        + " @@session.tx_isolation";
        };
    }

    private static HikariConfig config(Product product, String url, int size) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("pool-of-" + size);
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(2_000);
        config.setInitializationFailTimeout(-1);
        config.setConnectionInitSql(theirs(product));
        return config;
    }

    private static JdbcStore store(HikariDataSource pool) {
        return JdbcStore.open(pool, Namespace.DEFAULT, Verdicts.OPTIONS);
    }

    /** Of all connections of the pool, on both sides of them. */
    private static List<String> states(HikariDataSource pool, Product product) throws SQLException {
        List<Connection> all = new ArrayList<>();
        List<String> states = new ArrayList<>();
        try {
            for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
                all.add(pool.getConnection());
            }
            for (Connection each : all) {
                states.add(each.getAutoCommit() + "|" + each.getTransactionIsolation() + "|" + each.getNetworkTimeout()
                        + "|" + Product.rows(each, settings(product)));
            }
        } finally {
            for (Connection each : all) {
                each.close();
            }
        }
        states.sort(null);
        return states;
    }

    @ParameterizedTest
    @EnumSource
    void afterwardsEveryConnectionIsAsItWas(Product product) throws SQLException {
        String url = product.newStore();
        HikariConfig config = config(product, url, 5);
        config.setAutoCommit(false);
        config.setIsolateInternalQueries(true);
        config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        config.setConnectionTimeout(20_000);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            List<String> before = states(pool, product);
            JdbcStore store = store(pool);
            Seen seen = Seen.by(store, LEDGER);
            seen.awaitVersion(0);
            Ask ada = new Ask(store).open(Duration.ofMinutes(1));
            Grant grant = ada.acquire(LEDGER);
            // heard of through the pool's wrapper
            seen.awaitVersion(grant.version());
            for (int i = 0; i < 10; i++) {
                assertThat(ada.renew()).isTrue();
                ada.read(LEDGER);
            }

            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(4);
            try (Connection fifth = pool.getConnection()) {
                assertThat(Product.rows(fifth, "SELECT token FROM signet_role")).containsExactly("1");
            }
            store.close();

            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            assertThat(states(pool, product)).hasSize(5).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPoolThatIsTooSmallIsSaidToBe(Product product) {
        String url = product.newStore();
        HikariConfig patient = config(product, url, 3);
        patient.setConnectionTimeout(60_000);
        try (HikariDataSource pool = new HikariDataSource(patient);
                JdbcStore store = store(pool)) {
            new Ask(store).open(Duration.ofMinutes(1)).renew();
            Seen.by(store, LEDGER).awaitVersion(0);

            assertThat(Ask.now(store.read(LEDGER, Duration.ofSeconds(1))))
                    .matches(Ask::isUnknown)
                    .asString()
                    .contains("did not answer within 1000 ms", "a pool must have four to spare for this store alone");
        }
        try (HikariDataSource pool = new HikariDataSource(config(product, url, 3));
                JdbcStore store = store(pool)) {
            Ask ada = new Ask(store).open(Duration.ofMinutes(1));
            ada.acquire(LEDGER);

            assertThat(Seen.by(store, LEDGER).awaitBroken()).contains("pool-of-3", "not available");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPoolThatOthersHaveUsedUpIsUnknown(Product product) throws SQLException {
        String url = product.newStore();
        try (HikariDataSource pool = new HikariDataSource(config(product, url, 1));
                Connection taken = pool.getConnection()) {
            Verdicts.of(pool).areUnknown("pool-of-1", "not available");
            assertThat(taken.isValid(5)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatThePoolWrapsIsUnderstood(Product product) {
        String url = product.newStore();
        String stranger = url.replaceFirst("user=[^&]*", "user=nobody_" + product);
        String refusing = url.replaceFirst(":\\d+/", ":1/");
        try (HikariDataSource pool = new HikariDataSource(config(product, stranger, 5))) {
            Verdicts.of(pool).areRefusals(Kind.NOT_PERMITTED, "nobody_");
        }
        try (HikariDataSource pool = new HikariDataSource(config(product, refusing, 5))) {
            Verdicts.of(pool).areUnknown("refused");
        }
        try (HikariDataSource lazy = new HikariDataSource()) {
            lazy.setJdbcUrl(refusing);
            lazy.setMaximumPoolSize(5);
            lazy.setConnectionTimeout(1_000);
            Verdicts.of(lazy).areUnknown("refused");
        }
    }
}
