package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.Namespace;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.Term;
import dev.signet.TermId;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealRefusal;
import dev.signet.servers.PostgresOptions;
import dev.signet.servers.PostgresServer;
import dev.signet.servers.PostgresServer.Replication;
import dev.signet.servers.Proxy;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.RoleView;
import dev.signet.store.StoreRefusal.Kind;
import dev.signet.testkit.FenceModel;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** PostgreSQL with a standby that takes over: what the store remembers then, and what the fence makes of it. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class FailoverTest {

    private static final Role LEDGER = Role.of("ledger");
    private static final Duration LEASE = Duration.ofSeconds(2);

    private static JdbcStore store(String url) {
        return JdbcStore.open(DriverDataSource.of(url), Namespace.DEFAULT, Verdicts.OPTIONS);
    }

    private static Stamp stamp(Grant grant) {
        return new Stamp(grant.role(), grant.token(), grant.termId(), grant.storeId());
    }

    private static Refusal refused(Answer<?, SealRefusal> answer) {
        return answer.<Refusal>fold(done -> null, SealRefusal::refusal, unknown -> null);
    }

    @Test
    void anAsynchronousStandbyGrantsATokenAgainAndTheFenceTellsTheTwoApart() {
        try (PostgresServer primary = PostgresServer.start(PostgresOptions.defaults());
                Proxy between = Proxy.to(primary)) {
            String url = primary.createDatabase("signet");
            StoreId id = JdbcStore.init(DriverDataSource.of(url));
            try (PostgresServer standby = primary.replica(Replication.ASYNCHRONOUS, between);
                    JdbcStore old = store(url)) {
                String standbyUrl = standby.jdbcUrl("signet");
                FenceModel fence = new FenceModel(ResourceName.of("books"));
                fence.initialise(LEDGER, id);
                Ask ada = new Ask(old).open(LEASE);
                ada.release(ada.acquire(LEDGER));
                String seen = "SELECT token FROM signet_role WHERE holder IS NULL";
                Leader.await("replicated", () -> Product.rows(standbyUrl, seen).contains("1"));
                Verdicts.of(DriverDataSource.of(standbyUrl))
                        .areRefusals(Kind.READ_ONLY, "as a replica can; name the server that takes writes");

                // what the standby never hears of
                between.blackHole();
                Grant lost = ada.acquire(LEDGER);
                assertThat(fence.seal(stamp(lost))).isInstanceOf(Answer.Done.class);
                assertThat(fence.write(stamp(lost), "by ada")).isEmpty();
                standby.promote();

                try (JdbcStore promoted = store(standbyUrl)) {
                    Ask bob = new Ask(promoted).open(LEASE);
                    Grant again = awaitGrant(bob);
                    assertThat(again.token()).isEqualTo(lost.token());
                    assertThat(again.termId()).isNotEqualTo(lost.termId());
                    assertThat(again.storeId()).isEqualTo(id);
                    assertThat(refused(fence.seal(stamp(again)))).isEqualTo(Refusal.SAME_TOKEN_OTHER_TERM);

                    // what a candidate does then: once per term, above what the fence has seen
                    RoleView view = bob.read(LEDGER);
                    Acquire above = new Acquire(
                            bob.session, LEDGER, again.attempt() + 1, TermId.random(), fence.highest(), view.version());
                    Grant healed = Ask.done(promoted.acquire(above, Ask.TIMEOUT));
                    assertThat(healed.token().value()).isEqualTo(lost.token().value() + 1);
                    assertThat(fence.seal(stamp(healed))).isInstanceOf(Answer.Done.class);
                    assertThat(fence.write(stamp(healed), "by bob")).isEmpty();
                    assertThat(fence.write(stamp(lost), "by ada, too late")).contains(Refusal.STALE);
                    splitBrain(ada, bob, id);
                }
            }
        }
    }

    /** The old primary is still there and takes writes: two servers with one store id, each of which elects. */
    private static void splitBrain(Ask ada, Ask bob, StoreId id) {
        Role nightly = Role.of("nightly");
        assertThat(ada.renew()).isTrue();
        Grant here = ada.acquire(nightly);
        Grant there = bob.acquire(nightly);
        assertThat(here.storeId()).isEqualTo(there.storeId());
        assertThat(here.token()).isEqualTo(there.token());

        FenceModel fence = new FenceModel(ResourceName.of("nights"));
        fence.initialise(nightly, id);
        assertThat(fence.seal(stamp(here))).isInstanceOf(Answer.Done.class);
        assertThat(refused(fence.seal(stamp(there)))).isEqualTo(Refusal.SAME_TOKEN_OTHER_TERM);
        assertThat(fence.write(stamp(there), "by bob")).contains(Refusal.SAME_TOKEN_OTHER_TERM);
        assertThat(fence.write(stamp(here), "by ada")).isEmpty();
    }

    private static Grant awaitGrant(Ask ask) {
        while (true) {
            Optional<Grant> grant = ask.tryAcquire(LEDGER);
            if (grant.isPresent()) {
                return grant.get();
            }
            Leader.sleep(Duration.ofMillis(50));
            assertThat(ask.renew()).isTrue();
        }
    }

    /** Nothing cancels the wait of a commit: what was answered is on both. */
    @Test
    void whileASynchronousStandbyStandsStillNothingIsGranted() {
        try (PostgresServer primary = PostgresServer.start(PostgresOptions.defaults());
                PostgresServer standby = primary.replica(Replication.SYNCHRONOUS)) {
            String url = primary.createDatabase("signet");
            JdbcStore.init(DriverDataSource.of(url));
            try (JdbcStore store = store(url)) {
                Ask ada = new Ask(store).open(Duration.ofMinutes(5));
                Acquire request = ada.request(ada.read(LEDGER));
                standby.freeze();
                // well beyond all that the connections are set to
                Duration most = Verdicts.OPTIONS.attempt().multipliedBy(2);
                var acquired = store.acquire(request, most);
                var renewed = store.renew(ada.session, most);
                assertThat(Ask.now(acquired)).matches(Ask::isUnknown);
                assertThat(Ask.now(renewed)).matches(Ask::isUnknown);
                assertThat(ada.read(LEDGER).lastToken()).isZero();
                for (int time = 0; time < 3; time++) {
                    assertThat(Ask.now(store.renew(ada.session, Duration.ofSeconds(1))))
                            .matches(Ask::isUnknown);
                }
                String waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
                assertThat(Integer.parseInt(Product.rows(url, waiting).get(0)))
                        .as("connections that nobody waits for")
                        .isBetween(1, 3);

                standby.thaw();
                Grant grant = Ask.untilKnown(() -> store.acquire(request, Ask.TIMEOUT))
                        .fold(done -> done, refused -> null, unknown -> null);
                assertThat(grant.token().value()).isEqualTo(1);
                assertThat(grant.termId()).isEqualTo(request.termId());
                assertThat(Product.rows(standby.jdbcUrl("signet"), "SELECT token FROM signet_role"))
                        .containsExactly("1");
            }
        }
    }

    @Test
    void withASynchronousStandbyCandidatesGoOnAndNoTokenComesTwice() {
        try (PostgresServer primary = PostgresServer.start(PostgresOptions.defaults());
                PostgresServer standby = primary.replica(Replication.SYNCHRONOUS)) {
            String url = primary.createDatabase("signet");
            JdbcStore.init(DriverDataSource.of(url));
            String both = url.replaceFirst("//([^/]*)/", "//$1," + standby.host() + ":" + standby.port() + "/")
                    + "&targetServerType=primary";
            try (Leader ada = Leader.at(both, "ada", Leader.SHORT)) {
                Leader.await("elected", ada::leads);
                try (Leader bob = Leader.at(both, "bob", Leader.SHORT)) {
                    Leader.await(
                            "both there",
                            () -> Product.rows(url, "SELECT count(*) FROM signet_session")
                                    .contains("2"));
                    long token = ada.term().token().value();
                    primary.kill();
                    standby.promote();

                    String promoted = standby.jdbcUrl("signet");
                    Leader.await("renewed there", () -> ada.leads() || bob.leads());
                    Leader.await("a term that goes on there", () -> goesOn(ada, promoted) || goesOn(bob, promoted));
                    assertThat(Stream.of(ada, bob)
                                    .flatMap(each -> each.terms.stream())
                                    .map(Term::token))
                            .doesNotHaveDuplicates()
                            .allMatch(each -> each.value() >= 1)
                            .anyMatch(each -> each.value() >= token);
                }
            }
        }
    }

    /** The server has renewed the session of who leads, and knows his token. */
    private static boolean goesOn(Leader leader, String url) {
        return leader.leads()
                && Product.rows(
                                url,
                                "SELECT r.token FROM signet_role r JOIN signet_session s ON s.number = r.holder WHERE s.boot_id ="
                                        + " (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint::text")
                        .contains(String.valueOf(leader.term().token().value()));
    }
}
