package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreException;
import dev.signet.StoreId;
import dev.signet.store.Grant;
import dev.signet.store.Release;
import dev.signet.store.StoreRefusal.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How the tables are made, by however many at once, cut short or not; and brought up to a later layout. */
@Tag("process")
class ServerLayoutTest {

    private static final Role LEDGER = Role.of("ledger");

    /** A second step as a later version might have it, which MariaDB may find done in part. */
    private static final List<String> LATER = List.of(
            "ALTER TABLE signet_role ADD COLUMN IF NOT EXISTS note TEXT",
            "CREATE TABLE IF NOT EXISTS signet_note (text TEXT)");

    private static Layout layout(Product product, List<String> secondStep) {
        return new Layout(List.of(product.dialect().layout().steps().get(0), secondStep));
    }

    /** What one who knows another layout finds or does. */
    private interface Work<T> {
        T with(ServerSchema schema, ServerLink link) throws SQLException;
    }

    private static <T> T as(Product product, String url, Layout layout, Work<T> work) throws SQLException {
        ServerDialect dialect = product.dialect();
        Server server = new Server(DriverDataSource.of(url), "the test's store", "", Duration.ofSeconds(2));
        try (ServerLink link = new ServerLink(
                DriverDataSource.of(url).getConnection(), dialect, new ServerClock(System::nanoTime), "")) {
            return work.with(new ServerSchema(server, dialect, layout), link);
        }
    }

    private static void isOlder(Product product, String url, Layout layout) {
        assertThatThrownBy(() -> as(product, url, layout, ServerSchema::verify))
                .isInstanceOfSatisfying(
                        StoreException.class, fault -> assertThat(fault.kind()).isEqualTo(Kind.OTHER_VERSION))
                .hasMessageContaining("older layout version 1; bring it up to 2 with: signet init");
    }

    @ParameterizedTest
    @EnumSource
    void eightAtOnceMakeOneStore(Product product) throws Exception {
        String url = product.newDatabase();
        ExecutorService eight = Executors.newFixedThreadPool(8);
        try {
            Callable<LaidOut> init = () -> JdbcStore.layOut(DriverDataSource.of(url), Verdicts.OPTIONS);
            List<LaidOut> done = new ArrayList<>();
            for (Future<LaidOut> each : eight.invokeAll(List.of(init, init, init, init, init, init, init, init))) {
                done.add(each.get());
            }
            assertThat(done)
                    .extracting(LaidOut::storeId)
                    .containsOnly(done.get(0).storeId());
            assertThat(done).filteredOn(LaidOut::isMade).hasSize(1);
            assertThat(Product.rows(url, "SELECT count(*) FROM signet_store")).containsExactly("1");
        } finally {
            eight.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLaterLayoutKeepsRolesTokensAndSessions(Product product) throws SQLException {
        String url = product.newDatabase();
        StoreId id = JdbcStore.init(DriverDataSource.of(url));
        Layout later = layout(product, LATER);
        try (JdbcStore store = JdbcStore.open(DriverDataSource.of(url), Namespace.DEFAULT, Verdicts.OPTIONS)) {
            Ask holder = new Ask(store).open(Duration.ofMinutes(5));
            Grant grant = holder.acquire(LEDGER);
            isOlder(product, url, later);

            assertThat(as(product, url, later, ServerSchema::init)).isEqualTo(new LaidOut(id, 1, 2));
            assertThat(as(product, url, later, ServerSchema::init)).isEqualTo(new LaidOut(id, 2, 2));

            assertThat(as(product, url, later, ServerSchema::verify)).isEqualTo(id);
            Verdicts.of(DriverDataSource.of(url)).areRefusals(Kind.OTHER_VERSION, "has layout version 2");
            Verdicts.refused(
                    Kind.OTHER_VERSION, () -> JdbcStore.init(DriverDataSource.of(url)), "has layout version 2");
            // who was there before goes on
            assertThat(holder.renew()).isTrue();
            assertThat(Ask.done(store.held(holder.session, Ask.TIMEOUT))).containsExactly(grant);
            Release release = new Release(holder.session, LEDGER, grant.attempt(), grant.version());
            assertThat(Ask.done(store.release(release, Ask.TIMEOUT)).lastToken())
                    .isEqualTo(1);
            assertThat(holder.acquire(LEDGER).token().value()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStepThatWasCutShortIsFinishedByTheNextInit(Product product) throws SQLException {
        String url = product.newDatabase();
        StoreId id = JdbcStore.init(DriverDataSource.of(url));
        List<String> cut = List.of(LATER.get(0), "SELECT * FROM the_end_of_the_process");

        assertThatThrownBy(() -> as(product, url, layout(product, cut), ServerSchema::init))
                .isInstanceOf(SQLException.class);

        isOlder(product, url, layout(product, LATER));
        assertThat(JdbcStore.id(DriverDataSource.of(url))).isEqualTo(id);
        assertThat(as(product, url, layout(product, LATER), ServerSchema::init)).isEqualTo(new LaidOut(id, 1, 2));
    }

    /** Each of its statements commits by itself, so an init that is killed leaves the first few of them done. */
    @Test
    void anInitOnMariaDbThatIsKilledIsFinishedByTheNext() {
        List<String> step = Product.MARIADB.dialect().layout().steps().get(0);
        String url = Product.MARIADB.newDatabase();
        for (int done = 0; done <= step.size(); done++) {
            Product.execute(url, "DROP TABLE IF EXISTS " + String.join(", ", Product.TABLES));
            Product.execute(url, step.subList(0, done).toArray(String[]::new));

            Verdicts.of(DriverDataSource.of(url)).areRefusals(Kind.NOT_INITIALISED, "signet init");
            assertThat(JdbcStore.layOut(DriverDataSource.of(url), Verdicts.OPTIONS)
                            .isMade())
                    .isTrue();
            try (JdbcStore store = JdbcStore.open(DriverDataSource.of(url), Namespace.DEFAULT, Verdicts.OPTIONS)) {
                assertThat(new Ask(store)
                                .open(Duration.ofSeconds(5))
                                .acquire(LEDGER)
                                .token()
                                .value())
                        .isEqualTo(1);
            }
        }
    }

    /** There, all of them commit at once. */
    @Test
    void anInitOnPostgresqlIsWholeOrNotAtAll() {
        String url = Product.POSTGRESQL.newDatabase();
        List<String> cut = new ArrayList<>(
                Product.POSTGRESQL.dialect().layout().steps().get(0).subList(0, 4));
        cut.add("SELECT * FROM the_end_of_the_process");

        assertThatThrownBy(() -> as(Product.POSTGRESQL, url, new Layout(List.of(List.copyOf(cut))), ServerSchema::init))
                .isInstanceOf(SQLException.class);
        assertThat(Product.rows(url, "SELECT relname FROM pg_class WHERE relname LIKE 'signet%'"))
                .isEmpty();
    }
}
