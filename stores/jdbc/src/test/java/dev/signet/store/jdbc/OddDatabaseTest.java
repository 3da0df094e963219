package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.servers.DatabaseServer;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.RoleView;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Databases that are set in odd ways, and administrators who lend a hand. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class OddDatabaseTest {

    private static final Role LEDGER = Role.of("ledger");
    private static final Duration LONG = Duration.ofMinutes(5);

    private Site site;

    @AfterEach
    void close() {
        site.close();
    }

    /** The role goes from one to another and back, and the tokens rise by one. */
    private static void works(JdbcStore store) {
        Ask ada = new Ask(store).open(LONG);
        Ask bob = new Ask(store).open(Duration.ofMillis(20));
        long token = ada.read(LEDGER).lastToken();
        Grant first = ada.acquire(LEDGER);
        assertThat(first.token().value()).isEqualTo(token + 1);
        ada.release(first);
        assertThat(bob.acquire(LEDGER).token().value()).isEqualTo(token + 2);
        Site.await("expired", LONG, () -> ada.read(LEDGER).claimable());
        Grant last = ada.acquire(LEDGER);
        assertThat(last.token().value()).isEqualTo(token + 3);
        assertThat(ada.renew()).isTrue();
        assertThat(bob.renew()).isFalse();
        ada.release(last);
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void aRecordThatWasDeletedUnderALiveHolderIsMadeAnewAndTheStoreGoesOn(Product product) throws SQLException {
        site = Site.on(product);
        Ask ada = site.candidate(LONG);
        Grant grant = ada.acquire(LEDGER);
        site.execute("DELETE FROM signet_role");

        assertThat(ada.renew()).isTrue();
        assertThat(Ask.done(ada.store.held(ada.session, Ask.TIMEOUT))).isEmpty();
        ada.release(grant);
        Ask bob = site.candidate(LONG);
        Acquire above = new Acquire(
                bob.session, LEDGER, 1, TermId.random(), 1, bob.read(LEDGER).version());
        assertThat(Ask.done(bob.store.acquire(above, Ask.TIMEOUT)).token())
                .as("healed, with a floor")
                .isEqualTo(FencingToken.of(2));
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void tablesThatWereEmptiedOneByOneAreFilledAgain(Product product) throws SQLException {
        site = Site.on(product);
        for (String table : List.of("signet_holding", "signet_campaign", "signet_ended_session", "signet_role")) {
            Ask ada = site.candidate(LONG);
            Ask bob = new Ask(ada.store).open(LONG);
            Role kept = Role.of("kept " + table);
            Grant grant = ada.acquire(kept);
            site.execute("TRUNCATE TABLE " + table);

            assertThat(ada.renew()).as(table).isTrue();
            Grant other = ada.acquire(Role.of("other " + table));
            ada.release(other);
            ada.release(grant);
            assertThat(bob.tryAcquire(kept)).as(table).isPresent();
            works((JdbcStore) ada.store);
        }
    }

    /** On MariaDB, and on PostgreSQL where it is asked for, the numbers of sessions begin anew with that. */
    @ParameterizedTest
    @EnumSource(Product.class)
    void aSessionThatGetsTheNumberOfAnotherDoesNotGetItsRoles(Product product) throws SQLException {
        site = Site.on(product);
        Ask ada = site.candidate(LONG);
        ada.acquire(LEDGER);
        site.execute("TRUNCATE TABLE signet_session" + (product == Product.POSTGRESQL ? " RESTART IDENTITY" : ""));
        site.execute("TRUNCATE TABLE signet_holding");
        Ask bob = site.candidate(LONG);
        Ask carol = site.candidate(LONG);

        assertThat(ada.renew()).isFalse();
        assertThat(Ask.done(bob.store.held(bob.session, Ask.TIMEOUT))).isEmpty();
        assertThat(carol.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
        assertThat(bob.tryAcquire(LEDGER)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void theLongestNames(Product product) {
        site = Site.on(product);
        String name = "ß".repeat(100);
        try (JdbcStore store = JdbcStore.open(site.connections(), new Namespace(name), Site.PATIENT)) {
            Ask ada = new Ask(store).open(LONG);
            Role role = Role.of(name);
            Grant grant = ada.acquire(role);
            assertThat(Ask.done(store.held(ada.session, Ask.TIMEOUT))).containsExactly(grant);
            assertThat(Ask.done(store.roles(Ask.TIMEOUT)).get(0).role()).isEqualTo(role);
        }
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void moreRolesAtOnceThanATransactionCarries(Product product) {
        site = Site.on(product);
        Ask ada = site.candidate(LONG);
        List<CompletableFuture<Answer<Grant, NotGranted>>> answers = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            Acquire request = ada.request(RoleView.absent(Role.of("role " + i)));
            answers.add(ada.store.acquire(request, LONG).toCompletableFuture());
        }
        answers.forEach(answer -> assertThat(Ask.done(answer).token()).isEqualTo(FencingToken.FIRST));
        assertThat(Ask.done(ada.store.held(ada.session, LONG))).hasSize(600);
    }

    @Test
    void postgresThatIsSerializableAsynchronousAndInAHurryUnlessTold() {
        site = Site.on(Product.POSTGRESQL);
        String database = site.url.replaceFirst(".*/([^?]*).*", "$1");
        for (String setting : List.of(
                "default_transaction_isolation = 'serializable'",
                "default_transaction_deferrable = on",
                "synchronous_commit = off",
                "statement_timeout = '300ms'",
                "lock_timeout = '300ms'",
                "idle_in_transaction_session_timeout = '300ms'",
                "timezone = 'Europe/Berlin'",
                "bytea_output = 'escape'")) {
            Product.POSTGRESQL.shared().execute("ALTER DATABASE " + database + " SET " + setting);
        }
        works(site.store());
    }

    @Test
    void mariaDbWithoutAStrictModeInAPlaceWhereClocksGoBack() throws SQLException {
        site = Site.on(Product.MARIADB);
        String session = "sessionVariables=sql_mode='',time_zone='-01:30',tx_isolation='SERIALIZABLE',"
                + "max_statement_time=0.001,innodb_lock_wait_timeout=0";
        try (JdbcStore store =
                JdbcStore.open(DriverDataSource.of(site.url + "&" + session), Namespace.DEFAULT, Site.PATIENT)) {
            works(store);
        }
        works(site.store());
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void aPoolThatHandsOutConnectionsInTheMidstOfATransaction(Product product) {
        site = Site.on(product);
        try (JdbcStore store = JdbcStore.open(
                DisturbedDataSource.of(openTransactions(), product, Disturbance.NONE),
                Namespace.DEFAULT,
                Site.PATIENT)) {
            works(store);
        }
    }

    private DataSource openTransactions() {
        DriverDataSource real = site.connections();
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    if (!method.getName().equals("getConnection")) {
                        return method.invoke(real, args);
                    }
                    Connection connection = real.getConnection();
                    connection.setAutoCommit(false);
                    long unused = Product.number(connection, "SELECT 1");
                    return connection;
                });
    }

    @Test
    void twoSchemasOfOneDatabaseAreTwoStores() throws SQLException {
        site = Site.empty(Product.POSTGRESQL);
        List<JdbcStore> stores = new ArrayList<>();
        for (String schema : List.of("one", "two")) {
            site.execute("CREATE SCHEMA " + schema);
            DriverDataSource connections = DriverDataSource.of(site.url + "&currentSchema=" + schema);
            JdbcStore.init(connections);
            stores.add(site.closing(JdbcStore.open(connections, Namespace.DEFAULT, Site.PATIENT)));
        }
        Ask ada = new Ask(stores.get(0)).open(LONG);
        Ask bob = new Ask(stores.get(1)).open(LONG);
        Grant first = ada.acquire(LEDGER);
        Grant second = bob.acquire(LEDGER);

        assertThat(first.storeId()).isNotEqualTo(second.storeId());
        assertThat(second.token()).isEqualTo(FencingToken.FIRST);
        assertThat(Ask.done(bob.store.held(bob.session, Ask.TIMEOUT))).containsExactly(second);
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void whileTheServerHasNoConnectionLeftNothingIsKnownAndThenItGoesOn(Product product) throws SQLException {
        site = Site.on(product);
        String user = "few" + product.name().toLowerCase(Locale.ROOT);
        DatabaseServer server = product.shared();
        if (product == Product.POSTGRESQL) {
            server.execute("CREATE ROLE " + user + " LOGIN SUPERUSER PASSWORD 'secret' CONNECTION LIMIT 4");
            server.execute("ALTER ROLE " + user + " NOSUPERUSER");
            site.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO " + user);
        } else {
            server.execute("CREATE USER " + user + "@'%' IDENTIFIED BY 'secret' WITH MAX_USER_CONNECTIONS 4");
            server.execute("GRANT ALL ON *.* TO " + user + "@'%'");
        }
        String url = site.url.replaceFirst("\\?.*", "?user=" + user + "&password=secret");
        List<Connection> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            others.add(site.closing(DriverDataSource.of(url).getConnection()));
        }
        JdbcStore store = site.closing(JdbcStore.open(DriverDataSource.of(url), Namespace.DEFAULT, Site.PATIENT));
        assertThat(Ask.isUnknown(Ask.now(store.read(LEDGER, Duration.ofSeconds(1)))))
                .isTrue();
        for (Connection other : others) {
            other.close();
        }
        Site.await("known", LONG, () -> !Ask.isUnknown(Ask.now(store.read(LEDGER, Ask.TIMEOUT))));
        works(store);
    }
}
