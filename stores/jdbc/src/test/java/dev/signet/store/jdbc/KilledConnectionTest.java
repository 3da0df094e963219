package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.HeldDigest;
import dev.signet.store.NotGranted;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.WatchObserver;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each request, with its connection killed at each of its statements in turn: before it is sent, so that a commit is lost, and
 * after it was carried out, so that its answer is. Asked again until it is known, it has happened exactly once.
 */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class KilledConnectionTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(10);
    private static final int MOST_STATEMENTS = 60;

    private enum When {
        BEFORE,
        AFTER
    }

    /** Strikes once at one statement of one lane. */
    private static final class Killer implements Disturbance {

        private final Site site;
        private final Connection executioner;
        private String lane = "";
        private When when = When.BEFORE;
        private int left;
        private boolean armed;
        private String struck = "";

        Killer(Site site) throws SQLException {
            this.site = site;
            this.executioner = site.closing(site.connections().getConnection());
        }

        synchronized void arm(String atLane, int statement, When atWhen) {
            lane = atLane;
            left = statement;
            when = atWhen;
            armed = true;
            struck = "";
        }

        synchronized boolean disarm() {
            armed = false;
            return !struck.isEmpty();
        }

        synchronized String struck() {
            return struck;
        }

        private synchronized boolean strikes(Step step, When at) throws SQLException {
            boolean counts = at == when && step.isBy(lane) && (at == When.BEFORE || takesEffect(step));
            if (!armed || !counts || left-- > 0) {
                return false;
            }
            armed = false;
            struck = when + " " + step.sql();
            Site.execute(executioner, site.product.end(step.id()));
            return true;
        }

        /** What else was carried out is undone, as if the next had not been sent. */
        private static boolean takesEffect(Step step) {
            return step.isCommit() || step.sql().contains("INTO signet_role (namespace, name, version, token) VALUES");
        }

        @Override
        public void before(Step step) throws SQLException {
            boolean unused = strikes(step, When.BEFORE);
        }

        @Override
        public void after(Step step) throws SQLException {
            if (strikes(step, When.AFTER)) {
                throw new SQLException("the connection broke before the answer", "08006");
            }
        }
    }

    private Site site;
    private Killer killer;
    private JdbcStore store;
    private Ask other;
    private int trials;

    /** A request as it is asked until it is known, and what must be true then. */
    private interface Trial {
        void run(Ask ada, Role role, Runnable armed);
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void whatIsAskedAgainHappensOnce(Product product, TestReporter reporter) throws SQLException {
        try (Site here = Site.on(product)) {
            site = here;
            killer = new Killer(here);
            store = here.store(killer);
            other = here.candidate(LONG);
            Map<String, Map<When, Integer>> statements = new TreeMap<>();
            statements.put("acquire, nobody had it", killAtEach("writes", this::acquire));
            statements.put("acquire, taken over", killAtEach("writes", this::takeOver));
            statements.put("release", killAtEach("writes", this::release));
            statements.put("release of an unknown acquire", killAtEach("writes", this::releaseOfUnknown));
            statements.put("reserve", killAtEach("writes", this::reserve));
            statements.put("enlist", killAtEach("writes", this::enlist));
            statements.put("open", killAtEach("heartbeats", this::open));
            statements.put("renew", killAtEach("heartbeats", this::renew));
            statements.put("close", killAtEach("heartbeats", this::close));
            reporter.publishEntry("statements killed at, " + product, statements.toString());
            assertThat(statements).allSatisfy((request, killed) -> {
                assertThat(killed.get(When.BEFORE)).as(request).isGreaterThan(2);
                assertThat(killed.get(When.AFTER)).as(request).isGreaterThan(0);
            });
        }
    }

    private Map<When, Integer> killAtEach(String lane, Trial trial) {
        Map<When, Integer> counts = new EnumMap<>(When.class);
        for (When when : When.values()) {
            int statement = 0;
            boolean struck = true;
            while (struck) {
                assertThat(statement).as("statements of one request").isLessThan(MOST_STATEMENTS);
                int at = statement;
                trials++;
                try {
                    trial.run(new Ask(store).open(LONG), Role.of("role " + trials), () -> killer.arm(lane, at, when));
                } catch (AssertionError e) {
                    throw new AssertionError("killed " + killer.struck() + ": " + e.getMessage(), e);
                }
                struck = killer.disarm();
                statement++;
            }
            counts.put(when, statement - 1);
        }
        return counts;
    }

    private <D, R> D doneInTheEnd(Supplier<CompletionStage<Answer<D, R>>> request) {
        Answer<D, R> answer = Ask.untilKnown(request);
        boolean unused = killer.disarm();
        return answer.fold(done -> done, refusal -> fail(answer), unknown -> fail(answer));
    }

    private static <D> D fail(Answer<?, ?> answer) {
        throw new AssertionError("unexpected answer: " + answer);
    }

    private void holds(Ask ada, Grant... grants) {
        assertThat(Ask.done(ada.store.held(ada.session, Ask.TIMEOUT)).stream().map(Grant::stamp))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(grants).map(Grant::stamp).toList());
        assertThat(doneInTheEnd(() -> ada.store.renew(ada.session, Ask.TIMEOUT)).heldDigest())
                .hasValue(HeldDigest.of(Arrays.stream(grants).collect(Collectors.toMap(Grant::role, Grant::token))));
    }

    private void acquire(Ask ada, Role role, Runnable armed) {
        acquire(ada, role, armed, 1);
    }

    private void takeOver(Ask ada, Role role, Runnable armed) {
        new Ask(other.store).open(SHORT).acquire(role);
        Site.await("expired", LONG, () -> ada.read(role).claimable());
        acquire(ada, role, armed, 2);
    }

    private void acquire(Ask ada, Role role, Runnable armed, long token) {
        Acquire request = ada.request(ada.read(role));
        armed.run();
        Grant grant = doneInTheEnd(() -> ada.store.acquire(request, Ask.TIMEOUT));

        assertThat(grant.token()).isEqualTo(FencingToken.of(token));
        assertThat(grant.termId()).isEqualTo(request.termId());
        holds(ada, grant);
        assertThat(other.tryAcquire(role)).isEmpty();
        Answer<Grant, NotGranted> again = Ask.now(ada.store.acquire(request, Ask.TIMEOUT));
        assertThat(again).isEqualTo(Answer.done(grant));
        ada.release(grant);
        assertThat(other.acquire(role).token()).isEqualTo(FencingToken.of(token + 1));
    }

    private void release(Ask ada, Role role, Runnable armed) {
        Grant kept = ada.acquire(Role.of(role.name() + " kept"));
        Grant grant = ada.acquire(role);
        Release request = new Release(ada.session, role, grant.attempt(), grant.version());
        armed.run();
        RoleView view = doneInTheEnd(() -> ada.store.release(request, Ask.TIMEOUT));

        assertThat(view.claimable()).isTrue();
        holds(ada, kept);
        assertThat(other.acquire(role).token()).isEqualTo(FencingToken.of(2));
    }

    private void releaseOfUnknown(Ask ada, Role role, Runnable armed) {
        Acquire never = ada.request(ada.read(role));
        Release request = new Release(ada.session, role, never.attempt(), never.expectedVersion());
        armed.run();
        RoleView view = doneInTheEnd(() -> ada.store.release(request, Ask.TIMEOUT));

        assertThat(view.version()).isGreaterThan(never.expectedVersion());
        assertThat(Ask.now(ada.store.acquire(never, Ask.TIMEOUT))).isInstanceOf(Answer.Refused.class);
        holds(ada);
        assertThat(other.acquire(role).token()).isEqualTo(FencingToken.of(1));
    }

    private void reserve(Ask ada, Role role, Runnable armed) {
        Grant grant = ada.acquire(role);
        Ask.done(other.store.enlist(other.session, role, Ask.TIMEOUT));
        Reserve request = new Reserve(ada.session, role, grant.attempt(), other.id, LONG);
        armed.run();
        RoleView view = doneInTheEnd(() -> ada.store.reserve(request, Ask.TIMEOUT));

        assertThat(view.reservation())
                .hasValueSatisfying(kept -> assertThat(kept.target()).isEqualTo(other.id));
        holds(ada, grant);
        ada.release(grant);
        assertThat(ada.tryAcquire(role)).as("kept for another").isEmpty();
        assertThat(other.acquire(role).token()).isEqualTo(FencingToken.of(2));
    }

    private void enlist(Ask ada, Role role, Runnable armed) {
        Grant grant = other.acquire(role);
        armed.run();
        RoleView view = doneInTheEnd(() -> ada.store.enlist(ada.session, role, Ask.TIMEOUT));

        assertThat(view.lastToken()).isEqualTo(1);
        Reserve request = new Reserve(other.session, role, grant.attempt(), ada.id, LONG);
        assertThat(Ask.done(other.store.reserve(request, Ask.TIMEOUT)).reservation())
                .isPresent();
    }

    private void open(Ask unused, Role role, Runnable armed) {
        Ask ada = new Ask(store);
        OpenSession request = new OpenSession(ada.session, ada.id, Advertised.NOTHING, LONG);
        armed.run();
        doneInTheEnd(() -> store.open(request, Ask.TIMEOUT));

        Grant grant = ada.acquire(role);
        holds(ada, grant);
    }

    private void renew(Ask ada, Role role, Runnable armed) {
        Grant grant = ada.acquire(role);
        armed.run();
        assertThat(doneInTheEnd(() -> ada.store.renew(ada.session, Ask.TIMEOUT)).heldDigest())
                .hasValue(HeldDigest.of(Map.of(role, grant.token())));

        holds(ada, grant);
    }

    private void close(Ask ada, Role role, Runnable armed) {
        ada.acquire(role);
        armed.run();
        doneInTheEnd(() -> ada.store.close(ada.session, Ask.TIMEOUT));

        assertThat(ada.renew()).isFalse();
        assertThat(other.acquire(role).token()).isEqualTo(FencingToken.of(2));
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void aWatchWhoseConnectionIsKilledSaysSoAndAnotherGoesOn(Product product) throws SQLException {
        try (Site here = Site.on(product)) {
            Role role = Role.of("watched");
            AtomicLong connection = new AtomicLong();
            JdbcStore watching = here.store(new Disturbance() {
                @Override
                public void after(Step step) {
                    if (step.isBy("watches")) {
                        connection.set(step.id());
                    }
                }
            });
            Ask ada = here.candidate(LONG);
            Seen first = new Seen();
            watching.watch(role, first);
            Site.await("the first view", Ask.TIMEOUT, () -> first.version >= 0);

            here.execute(product.end(connection.get()));
            Site.await("broken", Ask.TIMEOUT, () -> first.broken);
            Seen second = new Seen();
            watching.watch(role, second);
            Site.await("the first view", Ask.TIMEOUT, () -> second.version >= 0);
            Grant grant = ada.acquire(role);
            Site.await("the change", Ask.TIMEOUT, () -> second.version == grant.version());
            assertThat(second.broken).isFalse();
        }
    }

    private static final class Seen implements WatchObserver {
        private volatile long version = -1;
        private volatile boolean broken;

        @Override
        public void observed(RoleView view) {
            version = view.version();
        }

        @Override
        public void broken(String cause) {
            broken = true;
        }
    }
}
