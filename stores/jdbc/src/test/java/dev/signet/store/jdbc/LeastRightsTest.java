package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.store.Grant;
import dev.signet.store.Reserve;
import dev.signet.store.StoreRefusal.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rights that the reference page grants are enough, and each of them is needed. */
@Tag("process")
class LeastRightsTest {

    private static final Role LEDGER = Role.of("ledger");
    private static final Role OTHER = Role.of("other");

    /** As on the page. */
    private static final Map<String, List<String>> RIGHTS = new TreeMap<>(Map.of(
            "signet_store", List.of("SELECT"),
            "signet_session", List.of("SELECT", "INSERT", "UPDATE", "DELETE"),
            "signet_holding", List.of("SELECT", "INSERT", "UPDATE", "DELETE"),
            "signet_campaign", List.of("SELECT", "INSERT", "UPDATE", "DELETE"),
            "signet_ended_session", List.of("SELECT", "INSERT", "DELETE"),
            "signet_role", List.of("SELECT", "INSERT", "UPDATE")));

    static List<String> rights() {
        return RIGHTS.entrySet().stream()
                .flatMap(table -> table.getValue().stream().map(right -> table.getKey() + "|" + right))
                .sorted()
                .toList();
    }

    /** To tables of the database, as the server has them. */
    static List<String> granted(String superuser, String user) {
        List<String> rights = Product.rows(
                superuser,
                "SELECT table_name, privilege_type FROM information_schema.table_privileges"
                        + " WHERE table_name LIKE 'signet%' AND grantee LIKE '%" + user + "%'");
        rights.sort(null);
        return rights;
    }

    /** A store, and where it is for somebody with exactly these rights. */
    private record Place(String url, String user, String login) {

        static Place on(Product product) {
            String url = product.newStore();
            String user = Product.newName();
            Place place = new Place(url, user, product.login(Product.nameOfDatabase(url), user));
            RIGHTS.forEach((table, rights) -> rights.forEach(right -> place.grant(right, table)));
            return place;
        }

        void grant(String right, String table) {
            Product.execute(url, "GRANT " + right + " ON " + table + " TO " + user);
        }

        void revoke(String right, String table) {
            Product.execute(url, "REVOKE " + right + " ON " + table + " FROM " + user);
        }

        JdbcStore store() {
            return JdbcStore.open(DriverDataSource.of(login), Namespace.DEFAULT, Verdicts.OPTIONS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theyAreEnoughForAWholeLife(Product product) throws Exception {
        Place place = Place.on(product);
        try (JdbcStore store = place.store();
                JdbcStore another = place.store()) {
            Seen seen = Seen.by(another, LEDGER);
            Ask late = new Ask(store).open(Duration.ofMillis(300));
            late.acquire(LEDGER);
            Ask ada = new Ask(another).open(Duration.ofMinutes(1));
            Ask bob = new Ask(store).open(Duration.ofMinutes(1));

            seen.awaitVersion(1);
            while (!ada.read(LEDGER).claimable()) {
                Thread.sleep(20);
            }
            Grant taken = ada.acquire(LEDGER);
            assertThat(taken.token().value()).isEqualTo(2);
            assertThat(late.renew()).isFalse();
            assertThat(ada.renew()).isTrue();
            Ask.done(store.enlist(bob.session, LEDGER, Ask.TIMEOUT));
            Ask.done(another.reserve(
                    new Reserve(ada.session, LEDGER, taken.attempt(), bob.id, Duration.ofSeconds(30)), Ask.TIMEOUT));
            ada.release(taken);
            Grant given = bob.acquire(LEDGER);
            seen.awaitVersion(given.version());
            ada.release(ada.acquire(OTHER));
            Ask.done(store.withdraw(bob.session, OTHER, Ask.TIMEOUT));
            assertThat(Ask.done(store.held(bob.session, Ask.TIMEOUT))).containsExactly(given);
            assertThat(Ask.done(store.roles(Ask.TIMEOUT))).hasSize(2);
            Ask.done(store.close(bob.session, Ask.TIMEOUT));
            Ask.done(store.close(ada.session, Ask.TIMEOUT));
        }
        sweep(place);
        assertThat(Product.rows(place.url, "SELECT count(*) FROM signet_campaign"))
                .containsExactly("0");
        assertThat(JdbcStore.id(DriverDataSource.of(place.login)))
                .isEqualTo(JdbcStore.id(DriverDataSource.of(place.url)));
    }

    /** What a store does each minute. */
    private static void sweep(Place place) throws SQLException {
        Server server = new Server(DriverDataSource.of(place.login), "", "", Duration.ofSeconds(5));
        try (Link link = server.connect(Database.Use.WRITES).link()) {
            link.beginWriting(false);
            assertThat(new Transactions(Namespace.DEFAULT, new Leases()).sweep(link, List.of()))
                    .isNotNull();
            link.commit();
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachIsMissedAtOnceAndNamed(Product product) {
        Place place = Place.on(product);
        RIGHTS.forEach((table, rights) -> rights.forEach(right -> {
            place.revoke(right, table);

            Verdicts verdicts = Verdicts.of(DriverDataSource.of(place.login));
            verdicts.opensNothing(Kind.NOT_PERMITTED, table);
            if (!table.equals("signet_store")) {
                verdicts.opensNothing(Kind.NOT_PERMITTED, "GRANT " + right + " ON " + table);
            }
            place.grant(right, table);
        }));
        try (JdbcStore store = place.store()) {
            new Ask(store).open(Duration.ofSeconds(5)).acquire(LEDGER);
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneThatIsTakenAwayLaterMakesItsRequestsUnknown(Product product) {
        Place place = Place.on(product);
        try (JdbcStore store = place.store()) {
            Ask ada = new Ask(store).open(Duration.ofMinutes(1));
            Grant grant = ada.acquire(LEDGER);
            place.revoke("UPDATE", "signet_role");

            assertThat(Ask.now(store.acquire(ada.request(ada.read(OTHER)), Ask.TIMEOUT)))
                    .matches(Ask::isUnknown)
                    .asString()
                    .contains("signet_role", "grant it the rights");
            assertThat(ada.renew()).as("needs no such right").isTrue();

            place.grant("UPDATE", "signet_role");
            assertThat(ada.acquire(OTHER).token().value()).isEqualTo(1);
            assertThat(Ask.done(store.held(ada.session, Ask.TIMEOUT))).contains(grant);
        }
    }

    /** {@code currentSchema}, or the search path of a role. */
    @Test
    void twoSchemasOfOneDatabaseAreTwoStores() {
        String url = Product.POSTGRESQL.newDatabase();
        Product.execute(url, "CREATE SCHEMA one", "CREATE SCHEMA two");
        DriverDataSource one = DriverDataSource.of(url + "&currentSchema=one");
        DriverDataSource two = DriverDataSource.of(url + "&currentSchema=two");
        StoreId id = JdbcStore.init(one);
        Verdicts.of(two).areRefusals(Kind.NOT_INITIALISED, "signet init");

        assertThat(JdbcStore.init(two)).isNotEqualTo(id);
        assertThat(JdbcStore.init(one)).isEqualTo(id);
        try (JdbcStore inOne = JdbcStore.open(one, Namespace.DEFAULT, Verdicts.OPTIONS);
                JdbcStore inTwo = JdbcStore.open(two, Namespace.DEFAULT, Verdicts.OPTIONS)) {
            Seen seen = Seen.by(inTwo, LEDGER);
            assertThat(new Ask(inOne)
                            .open(Duration.ofMinutes(1))
                            .acquire(LEDGER)
                            .token()
                            .value())
                    .isEqualTo(1);
            Grant grant = new Ask(inTwo).open(Duration.ofMinutes(1)).acquire(LEDGER);
            assertThat(grant.token().value()).isEqualTo(1);
            seen.awaitVersion(grant.version());
        }
    }
}
