package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermEnd;
import dev.signet.lease.LeaseTiming;
import dev.signet.observe.Event;
import dev.signet.servers.DatabaseServer;
import dev.signet.store.Grant;
import dev.signet.store.StoreRefusal.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What becomes of who leads when the server restarts, stands still or takes no more writes. Each on a server of its own. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
abstract class ServerOutages {

    private static final LeaseTiming LONG =
            new LeaseTiming(Duration.ofSeconds(45), Duration.ofSeconds(30), Duration.ofMillis(500));

    private final Product product;
    private DatabaseServer server;
    private String url;

    ServerOutages(Product product) {
        this.product = product;
    }

    @BeforeEach
    void start() {
        server = product.start();
        url = server.createDatabase("signet");
        JdbcStore.init(DriverDataSource.of(url));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** For somebody who is no superuser: those may write also where others may not. */
    abstract String ordinaryUser(DatabaseServer at);

    abstract void forbidWriting(DatabaseServer at);

    abstract void allowWriting(DatabaseServer at);

    @Test
    void aRestartWithinTheDeadlineCostsNothing() {
        try (Leader ada = Leader.at(url, "ada", LONG)) {
            Leader.await("elected", ada::leads);
            int before = ada.events.size();
            server.restart();
            long renewals = renewals();

            Leader.await("renewed", () -> renewals() > renewals + 1);
            assertThat(ada.leads()).isTrue();
            assertThat(ada.terms).hasSize(1);
            assertThat(ada.ends).isEmpty();
            List<Event> since = List.copyOf(ada.events.subList(before, ada.events.size()));
            assertThat(since).as("what is logged").hasSizeLessThan(3).noneMatch(Event.SessionLost.class::isInstance);
        }
    }

    private long renewals() {
        return Long.parseLong(
                Product.rows(url, "SELECT max(renewals) FROM signet_session").get(0));
    }

    @Test
    void aLongerOneDeposesAndElectsAgain() {
        try (Leader ada = Leader.at(url, "ada", Leader.SHORT)) {
            Leader.await("elected", ada::leads);
            server.kill();
            Leader.await("deposed", () -> !ada.ends.isEmpty());
            assertThat(ada.leads()).isFalse();
            server.restart();

            Leader.await("elected again", ada::leads);
            assertThat(ada.ends.get(0).reason()).isEqualTo(TermEnd.Reason.RENEW_DEADLINE);
            assertThat(ada.terms)
                    .extracting(term -> term.token().value())
                    .isSorted()
                    .doesNotHaveDuplicates();
            assertThat(ada.events)
                    .filteredOn(Event.SessionLost.class::isInstance)
                    .hasSizeBetween(1, 5);
        }
    }

    @Test
    void aServerThatStandsStillIsUnknown() {
        try (JdbcStore store = JdbcStore.open(DriverDataSource.of(url), Namespace.DEFAULT, Verdicts.OPTIONS)) {
            Ask ada = new Ask(store).open(Duration.ofMinutes(5));
            server.freeze();
            try {
                assertThat(Ask.now(store.renew(ada.session, Duration.ofSeconds(1))))
                        .matches(Ask::isUnknown)
                        .asString()
                        .contains("did not answer within 1000 ms");
                Verdicts.of(DriverDataSource.of(url), Duration.ofSeconds(1))
                        .areUnknown("did not answer within 1000 ms", "no connection has come about yet");
                Verdicts.refused(Kind.UNREACHABLE, () -> JdbcStore.id(DriverDataSource.of(url)), "did not answer");
            } finally {
                server.thaw();
            }
            assertThat(Ask.untilKnown(() -> store.renew(ada.session, Ask.TIMEOUT))
                            .<Boolean>fold(done -> true, gone -> false, unknown -> false))
                    .isTrue();
        }
    }

    @Test
    void aServerThatTakesNoWritesIsRefusedAndHealsByItself() {
        Role role = Role.of("nightly");
        String ordinary = ordinaryUser(server);
        try (JdbcStore store = JdbcStore.open(DriverDataSource.of(ordinary), Namespace.DEFAULT, Verdicts.OPTIONS)) {
            Ask ada = new Ask(store).open(Duration.ofMinutes(5));
            Grant grant = ada.acquire(role);
            forbidWriting(server);

            for (int time = 0; time < 2; time++) {
                assertThat(Ask.now(store.renew(ada.session, Ask.TIMEOUT)))
                        .matches(Ask::isUnknown)
                        .asString()
                        .contains("can only be read");
            }
            Verdicts.of(DriverDataSource.of(ordinary))
                    .areRefusals(Kind.READ_ONLY, "can only be read", "name the server that takes writes");
            Verdicts.refused(Kind.READ_ONLY, () -> JdbcStore.id(DriverDataSource.of(ordinary)), "can only be read");
            allowWriting(server);

            assertThat(ada.renew()).isTrue();
            assertThat(Ask.done(store.held(ada.session, Ask.TIMEOUT))).containsExactly(grant);
            ada.release(grant);
            assertThat(ada.acquire(role).token().value()).isEqualTo(2);
        }
    }
}
