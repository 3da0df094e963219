package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.store.WatchObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The faults of a memory store. What it does without any is the store contract's. */
final class MemoryStoreTest {

    private static final Role ROLE = Role.of("ledger");
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final ManualTime time = new ManualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryStore store = server.connect();
    private final SessionId ada = new SessionId("ada");
    private final SessionId bob = new SessionId("bob");

    @BeforeEach
    void openSessions() {
        open(ada);
        open(bob);
    }

    @Test
    void aLostRequestIsUnknownAndNeverTakesEffect() {
        store.inject(Fault.requestLost().of(Call.ACQUIRE).once());

        CompletableFuture<Answer<Grant, NotGranted>> answer = acquire(ada, 1);

        time.advance(TIMEOUT.minusNanos(1));
        assertThat(answer).isNotDone();
        time.advance(Duration.ofNanos(1));
        assertThat(answer).isCompletedWithValue(Answer.unknown("no answer within 2000 ms"));
        assertThat(held(ada)).isEmpty();
        assertThat(isGranted(acquire(ada, 1))).isTrue();
    }

    @Test
    void whenTheAnswerIsLostTheRequestHasTakenEffect() {
        store.inject(Fault.answerLost().of(Call.ACQUIRE).once());
        CompletableFuture<?> answer = acquire(ada, 1);
        assertThat(held(ada)).hasSize(1);

        time.advance(TIMEOUT);

        assertThat(isUnknown(answer)).isTrue();
    }

    @Test
    void aDelayedRequestTakesEffectAndIsAnsweredLater() {
        store.inject(Fault.delayed(Duration.ofSeconds(1)));
        CompletableFuture<?> answer = acquire(ada, 1);
        time.advance(Duration.ofMillis(999));
        assertThat(answer).isNotDone();

        time.advance(Duration.ofMillis(1));

        assertThat(isGranted(answer)).isTrue();
    }

    @Test
    void aRequestThatIsLateTakesEffectAfterItsCallerGaveUp() {
        Fault.Injected late = store.inject(Fault.late(Duration.ofSeconds(3)).of(Call.ACQUIRE));
        CompletableFuture<?> answer = acquire(ada, 1);
        time.advance(TIMEOUT);
        late.mend();
        assertThat(isUnknown(answer)).isTrue();
        assertThat(held(ada)).isEmpty();

        time.advance(Duration.ofSeconds(3));

        assertThat(held(ada)).hasSize(1);
    }

    @Test
    void aReleaseThatOvertookALateAcquireWins() {
        store.inject(Fault.late(Duration.ofSeconds(3)).of(Call.ACQUIRE).once());
        acquire(ada, 1);
        time.advance(TIMEOUT);
        release(ada, 1, 0);

        time.advance(Duration.ofSeconds(3));

        assertThat(held(ada)).isEmpty();
    }

    @Test
    void aRequestThatArrivesTwiceIsAnsweredOnce() {
        store.inject(Fault.twice(Duration.ofSeconds(1)).of(Call.ACQUIRE).once());
        CompletableFuture<?> answer = acquire(ada, 1);
        assertThat(isGranted(answer)).isTrue();
        long version = read().version();
        release(ada, 1, version);

        time.advance(Duration.ofSeconds(1));

        assertThat(held(ada)).isEmpty();
        assertThat(read().version()).isEqualTo(version + 1);
    }

    @Test
    void aRefusedConnectionIsUnknownAtOnce() {
        store.inject(Fault.refusedConnection().times(2));

        assertThat(isUnknown(acquire(ada, 1))).isTrue();
        assertThat(isUnknown(acquire(ada, 1))).isTrue();
        assertThat(isGranted(acquire(ada, 1))).isTrue();
    }

    @Test
    void faultsAreOfOneClientUntilTheyAreMended() {
        MemoryStore other = server.connect();
        Fault.Injected fault = store.inject(Fault.refusedConnection());

        assertThat(isUnknown(store.renew(ada, TIMEOUT))).isTrue();
        assertThat(isUnknown(other.renew(ada, TIMEOUT))).isFalse();
        fault.mend();
        fault.mend();
        assertThat(isUnknown(store.renew(ada, TIMEOUT))).isFalse();
    }

    @Test
    void aPausedServerAnswersNothingAndTakesWhatWaitedOnceItGoesOn() {
        acquire(ada, 1);
        time.advance(Duration.ofSeconds(14));
        server.pause();
        CompletableFuture<?> renewal = store.renew(ada, TIMEOUT).toCompletableFuture();

        time.advance(Duration.ofSeconds(20));
        assertThat(isUnknown(renewal)).isTrue();
        server.resume();

        assertThat(held(ada)).hasSize(1);
        assertThat(store.renew(bob, TIMEOUT).toCompletableFuture())
                .isCompletedWithValue(Answer.refused(SessionGone.INSTANCE));
    }

    @Test
    void anExpiryIsPushedToWatchersWhenItIsDue() {
        acquire(ada, 1);
        Heard heard = new Heard();
        store.watch(ROLE, heard);

        time.advance(Duration.ofSeconds(15).minusNanos(1));
        assertThat(heard.views).hasSize(1);
        time.advance(Duration.ofNanos(1));

        assertThat(heard.views).hasSize(2);
        assertThat(heard.views.get(1).claimable()).isTrue();
        assertThat(heard.views.get(1).version()).isEqualTo(heard.views.get(0).version());
    }

    @Test
    void aWatchThatBreaksSaysSoOnceAndHearsNoMore() {
        Heard heard = new Heard();
        store.watch(ROLE, heard);

        store.breakWatches("connection reset");
        acquire(ada, 1);
        store.breakWatches("again");

        assertThat(heard.views).hasSize(1);
        assertThat(heard.broken).containsExactly("connection reset");
    }

    @Test
    void aCandidateThatIsCutOffHearsNothingUntilItIsMended() {
        MemoryStore other = server.connect();
        Heard heard = new Heard();
        other.watch(ROLE, heard);
        Fault.Injected cut = other.cutOff();
        CompletableFuture<?> renewal = other.renew(bob, TIMEOUT).toCompletableFuture();
        acquire(ada, 1);
        time.advance(TIMEOUT);
        assertThat(isUnknown(renewal)).isTrue();
        assertThat(heard.views).hasSize(1);
        assertThat(heard.broken).isEmpty();

        cut.mend();

        assertThat(heard.broken).containsExactly("connection reset");
        assertThat(isUnknown(other.renew(bob, TIMEOUT))).isFalse();
    }

    @Test
    void aWipedStoreHasAnotherIdAndBreaksItsWatches() {
        acquire(ada, 1);
        Heard heard = new Heard();
        store.watch(ROLE, heard);
        var before = server.storeId();

        server.wipe();

        assertThat(heard.broken).containsExactly("the store was wiped");
        assertThat(server.storeId()).isNotEqualTo(before);
        assertThat(read()).isEqualTo(RoleView.absent(ROLE));
    }

    @Test
    void aRestoredStoreGrantsItsTokensAgain() {
        MemoryServer.Backup yesterday = server.backUp();
        var before = server.storeId();
        acquire(ada, 1);

        server.restore(yesterday);

        assertThat(read().lastToken()).isZero();
        assertThat(server.storeId()).isEqualTo(before);
        assertThat(isGranted(acquire(ada, 2))).isTrue();
        assertThat(read().lastToken()).isEqualTo(1);
    }

    @Test
    void aFailOverGivesEachSessionAFullLeaseAnew() {
        acquire(ada, 1);
        time.advance(Duration.ofSeconds(14));
        server.failOver();

        time.advance(Duration.ofSeconds(14));
        assertThat(read().claimable()).isFalse();
        time.advance(Duration.ofSeconds(1));
        assertThat(read().claimable()).isTrue();
    }

    @Test
    void closingAnswersWhatIsUnderWay() {
        store.inject(Fault.requestLost());
        CompletableFuture<?> renewal = store.renew(ada, TIMEOUT).toCompletableFuture();

        store.close();

        assertThat(isUnknown(renewal)).isTrue();
    }

    @Test
    void anExecutorGivesTheAnswersAndTellsTheWatchers() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        MemoryStore queued = server.connect(Namespace.DEFAULT, tasks::add);
        Heard heard = new Heard();
        queued.watch(ROLE, heard);
        CompletableFuture<?> answer = queued.renew(ada, TIMEOUT).toCompletableFuture();
        assertThat(answer).isNotDone();
        assertThat(heard.views).isEmpty();

        tasks.forEach(Runnable::run);

        assertThat(answer).isCompleted();
        assertThat(heard.views).hasSize(1);
    }

    @Test
    void aWatcherThatActsOnWhatItHearsIsToldInOrder() {
        List<Long> versions = new ArrayList<>();
        store.watch(ROLE, new WatchObserver() {
            @Override
            public void observed(RoleView view) {
                versions.add(view.version());
                if (view.version() == 1) {
                    release(ada, 1, 1);
                    acquire(bob, 1);
                }
            }

            @Override
            public void broken(String cause) {}
        });

        acquire(ada, 1);

        assertThat(versions).containsExactly(0L, 1L, 2L, 3L);
    }

    private void open(SessionId session) {
        assertThat(store.open(
                                new OpenSession(
                                        session,
                                        new CandidateId(session.value(), "1"),
                                        Advertised.NOTHING,
                                        Duration.ofSeconds(15)),
                                TIMEOUT)
                        .toCompletableFuture())
                .isCompleted();
    }

    private CompletableFuture<Answer<Grant, NotGranted>> acquire(SessionId session, long attempt) {
        return store.acquire(new Acquire(session, ROLE, attempt, new TermId(attempt, 0), 0, read().version()), TIMEOUT)
                .toCompletableFuture();
    }

    private void release(SessionId session, long attempt, long version) {
        assertThat(isUnknown(store.release(new Release(session, ROLE, attempt, version), TIMEOUT)))
                .isFalse();
    }

    private List<Grant> held(SessionId session) {
        return done(server.connect().held(session, TIMEOUT));
    }

    private RoleView read() {
        return done(server.connect().read(ROLE, TIMEOUT));
    }

    private static <D, R> D done(CompletionStage<Answer<D, R>> stage) {
        return stage.toCompletableFuture()
                .join()
                .fold(
                        done -> done,
                        refused -> {
                            throw new AssertionError("refused: " + refused);
                        },
                        unknown -> {
                            throw new AssertionError("unknown: " + unknown);
                        });
    }

    private static boolean isGranted(CompletionStage<?> stage) {
        return stage.toCompletableFuture().getNow(null) instanceof Answer.Done<?, ?>;
    }

    private static boolean isUnknown(CompletionStage<?> stage) {
        return stage.toCompletableFuture().getNow(null) instanceof Answer.Unknown<?, ?>;
    }

    private static final class Heard implements WatchObserver {

        private final List<RoleView> views = new ArrayList<>();
        private final List<String> broken = new ArrayList<>();

        @Override
        public void observed(RoleView view) {
            views.add(view);
        }

        @Override
        public void broken(String cause) {
            broken.add(cause);
        }
    }
}
