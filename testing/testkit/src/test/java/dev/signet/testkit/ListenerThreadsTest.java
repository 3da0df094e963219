package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.signet.Candidate;
import dev.signet.LeadershipListener;
import dev.signet.Protection;
import dev.signet.Role;
import dev.signet.Signet;
import dev.signet.Term;
import dev.signet.TermEnd;
import dev.signet.observe.Counter;
import dev.signet.observe.Event;
import dev.signet.store.RoleView;
import dev.signet.store.Store;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What listeners, observers and other code of the application may do to the heartbeat: nothing. */
@Timeout(60)
class ListenerThreadsTest {

    private static final Role ROLE = Role.of("nightly");
    private static final Protection UNFENCED = Protection.unfenced("a test");

    private final ManualTime time = new ManualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryStore store = server.connect();
    private final MemoryStore reader = server.connect();
    private final ManualHost host = time.host();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch letGo = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        letGo.countDown();
        threads.shutdownNow();
    }

    @Test
    void aListenerThatBlocksDoesNotStopTheHeartbeat() {
        List<Term> terms = new CopyOnWriteArrayList<>();
        candidate(threads).campaign(ROLE, UNFENCED, term -> {
            terms.add(term);
            letGo.await();
        });
        until(() -> !terms.isEmpty());

        time.advance(Duration.ofMinutes(5));

        assertThat(terms).hasSize(1);
        assertThat(terms.get(0).isValid()).isTrue();
    }

    @Test
    void whoeverBlocksOnATermsEndDoesNotStopTheHeartbeat() {
        Candidate candidate = candidate(threads);
        List<Term> terms = new CopyOnWriteArrayList<>();
        var election = candidate.campaign(ROLE, UNFENCED, term -> {
            terms.add(term);
            term.ended().thenRun(this::block);
        });
        List<Term> others = new CopyOnWriteArrayList<>();
        candidate.campaign(Role.of("other"), UNFENCED, others::add);
        until(() -> !terms.isEmpty() && !others.isEmpty());

        election.resign();
        time.advance(Duration.ofMinutes(5));

        assertThat(terms.get(0).isValid()).isFalse();
        assertThat(others.get(0).isValid()).isTrue();
    }

    @Test
    void anEndedTermInterruptsItsListenerAfterItHasSignalledTheEnd() {
        List<String> order = new CopyOnWriteArrayList<>();
        candidate(threads).campaign(ROLE, UNFENCED, new LeadershipListener() {
            @Override
            public void onElected(Term term) {
                term.ended().thenRun(() -> order.add("ended"));
                order.add("elected");
                try {
                    letGo.await();
                } catch (InterruptedException e) {
                    order.add("interrupted");
                }
            }

            @Override
            public void onDeposed(Term term, TermEnd end) {
                order.add(Thread.currentThread().isInterrupted() ? "deposed, still interrupted" : "deposed");
            }
        });
        until(() -> order.contains("elected"));

        store.cutOff();
        time.advance(Duration.ofSeconds(11));
        until(() -> order.contains("deposed"));

        assertThat(order).containsExactly("elected", "ended", "interrupted", "deposed");
    }

    @Test
    void anExecutorThatTakesNoWorkGivesTheRoleToOthers() {
        Executor none = task -> {
            throw new RejectedExecutionException("shut down");
        };
        Candidate candidate = candidate(none);
        candidate.campaign(ROLE, UNFENCED, term -> {});
        time.advance(Duration.ofMillis(500));

        List<Term> terms = new CopyOnWriteArrayList<>();
        Signet.candidate("bob", server.connect())
                .time(time.host(), time.host())
                .executor(Runnable::run)
                .join()
                .campaign(ROLE, UNFENCED, terms::add);
        time.advance(Duration.ofSeconds(1));

        assertThat(terms).hasSize(1);
        assertThat(candidate.counters().get(Counter.LISTENER_FAILURES)).isPositive();
    }

    @ParameterizedTest
    @MethodSource("faultsOfExecutors")
    void anExecutorThatFailsGivesTheRoleToOthersAndDoesNotStopTheHeartbeat(Runnable fault) {
        Candidate candidate = candidate(task -> fault.run());
        candidate.campaign(ROLE, UNFENCED, term -> {});
        time.advance(Duration.ofMillis(500));

        List<Term> terms = new CopyOnWriteArrayList<>();
        Signet.candidate("bob", server.connect())
                .time(time.host(), time.host())
                .executor(Runnable::run)
                .join()
                .campaign(ROLE, UNFENCED, terms::add);
        time.advance(Duration.ofMinutes(1));

        assertThat(terms)
                .singleElement()
                .satisfies(term -> assertThat(term.isValid()).isTrue());
        assertThat(candidate.counters().get(Counter.LISTENER_FAILURES)).isPositive();
        assertThat(candidate.counters().get(Counter.SESSIONS_LOST)).isZero();
    }

    static Stream<Runnable> faultsOfExecutors() {
        return Stream.of(
                () -> {
                    throw new IllegalStateException("this container is shut down");
                },
                () -> {
                    throw new NoClassDefFoundError("dev/example/Pool");
                });
    }

    @Test
    void anExecutorThatFailsWhileTheSessionIsLostKeepsNeitherTheEndFromTheTermNorTheCandidateFromLeadingAgain() {
        AtomicBoolean fails = new AtomicBoolean();
        List<Term> terms = new CopyOnWriteArrayList<>();
        candidate(task -> {
                    if (fails.get()) {
                        throw new NoClassDefFoundError("dev/example/Pool");
                    }
                    task.run();
                })
                .campaign(ROLE, UNFENCED, terms::add);
        until(() -> !terms.isEmpty());

        Fault.Injected cut = store.cutOff();
        fails.set(true);
        time.advance(Duration.ofSeconds(11));
        assertThat(terms.get(0).ended()).isCompleted();

        cut.mend();
        fails.set(false);
        time.advance(Duration.ofMinutes(1));
        assertThat(terms).hasSize(2);
        assertThat(terms.get(1).isValid()).isTrue();
    }

    @Test
    void aStoreWhoseClassesAreMissingForOnceDoesNotStopTheHeartbeat() {
        AtomicBoolean fails = new AtomicBoolean();
        List<Term> terms = new CopyOnWriteArrayList<>();
        Store flawed = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (fails.get() && method.getName().equals("renew")) {
                        throw new NoClassDefFoundError("dev/signet/store/Gone");
                    }
                    return method.invoke(store, arguments);
                });
        Signet.candidate("ada", flawed)
                .time(host, host)
                .executor(Runnable::run)
                .join()
                .campaign(ROLE, UNFENCED, terms::add);
        until(() -> !terms.isEmpty());

        fails.set(true);
        time.advance(Duration.ofSeconds(3));
        fails.set(false);
        time.advance(Duration.ofMinutes(1));

        assertThat(terms).hasSize(1);
        assertThat(terms.get(0).isValid()).isTrue();
    }

    @Test
    void anObserverThatBlocksLosesEventsWhichAreCounted() {
        Candidate candidate = Signet.candidate("ada", store)
                .time(host, host)
                .executor(Runnable::run)
                .observer(event -> block())
                .join();
        List<Term> terms = new CopyOnWriteArrayList<>();
        var election = candidate.campaign(ROLE, UNFENCED, terms::add);
        for (int i = 0; i < 2_000; i++) {
            election.resign();
            election.campaign();
            time.advance(Duration.ofMillis(10));
        }

        assertThat(candidate.counters().get(Counter.EVENTS_DROPPED)).isPositive();
        assertThat(candidate.counters().get(Counter.ELECTIONS)).isEqualTo(terms.size());
        assertThat(terms.get(terms.size() - 1).isValid()).isTrue();
    }

    @Test
    void observersHearWhatHappensInOrder() {
        List<Event> heard = new CopyOnWriteArrayList<>();
        Signet.candidate("ada", store)
                .time(host, host)
                .executor(Runnable::run)
                .observer(heard::add)
                .join()
                .campaign(ROLE, UNFENCED, term -> {});
        until(() -> heard.stream().anyMatch(Event.Elected.class::isInstance));

        assertThat(heard)
                .extracting(Object::getClass)
                .containsSubsequence(Event.SessionOpened.class, Event.Granted.class, Event.Elected.class);
    }

    @Test
    void workRunsOnTheCallersThreadAndItsValueIsReturnedOnceTheRoleIsReleased() throws Exception {
        Candidate candidate = candidate(threads);
        Future<String> done = threads.submit(() -> {
            Thread caller = Thread.currentThread();
            return candidate.runWhileLeading(
                    ROLE, UNFENCED, term -> Thread.currentThread() == caller ? "token " + term.token() : "elsewhere");
        });
        until(done::isDone);

        assertThat(done.get()).isEqualTo("token 1");
        assertThat(isFree()).isTrue();
    }

    @Test
    void workWhoseTermEndsIsInterruptedAndRunAgainInTheNext() throws Exception {
        Candidate candidate = candidate(threads);
        List<Term> terms = new CopyOnWriteArrayList<>();
        Future<Integer> done = threads.submit(() -> candidate.runWhileLeading(ROLE, UNFENCED, term -> {
            terms.add(term);
            if (terms.size() == 1) {
                letGo.await();
            }
            return terms.size();
        }));
        until(() -> terms.size() == 1);

        Fault.Injected cut = store.cutOff();
        time.advance(Duration.ofSeconds(11));
        cut.mend();
        until(done::isDone);

        assertThat(done.get()).isEqualTo(2);
        assertThat(terms).extracting(Term::token).doesNotHaveDuplicates();
        assertThat(terms.get(0).isValid()).isFalse();
    }

    @Test
    void whatTheWorkThrowsIsThrownOnceTheRoleIsReleased() {
        Candidate candidate = candidate(threads);
        Future<Object> done =
                threads.submit((Callable<Object>) () -> candidate.runWhileLeading(ROLE, UNFENCED, term -> {
                    throw new IllegalArgumentException("no such ledger");
                }));
        until(done::isDone);

        assertThatExceptionOfType(java.util.concurrent.ExecutionException.class)
                .isThrownBy(done::get)
                .withCauseInstanceOf(IllegalArgumentException.class);
        assertThat(isFree()).isTrue();
    }

    @Test
    void anErrorOfTheWorkIsThrownOnceTheRoleIsReleasedAndInterruptsNobody() throws Exception {
        Duration drain = Duration.ofDays(10);
        Candidate candidate = Signet.candidate("ada", store)
                .time(host, host)
                .executor(threads)
                .drain(drain)
                .join();
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        Future<Object> done = threads.submit((Callable<Object>) () -> {
            try {
                return candidate.runWhileLeading(ROLE, UNFENCED, term -> {
                    throw new AssertionError("the ledger does not add up");
                });
            } finally {
                interrupted.add(Thread.currentThread().isInterrupted());
            }
        });
        long before = host.monoNanos();
        until(done::isDone);

        assertThatExceptionOfType(java.util.concurrent.ExecutionException.class)
                .isThrownBy(done::get)
                .withCauseInstanceOf(AssertionError.class);
        assertThat(isFree()).isTrue();
        assertThat(interrupted).containsExactly(false);
        assertThat(Duration.ofNanos(host.monoNanos() - before))
                .as("it did not wait for the work to drain")
                .isLessThan(drain);
    }

    @Test
    void aCallerThatIsInterruptedReleasesTheRole() {
        Candidate candidate = candidate(threads);
        List<Term> terms = new CopyOnWriteArrayList<>();
        Future<Object> done =
                threads.submit((Callable<Object>) () -> candidate.runWhileLeading(ROLE, UNFENCED, term -> {
                    terms.add(term);
                    letGo.await();
                    return "never";
                }));
        until(() -> !terms.isEmpty());

        done.cancel(true);
        until(this::isFree);

        assertThat(terms).hasSize(1);
    }

    @Test
    void closingTheCandidateEndsTheWaitOfWhoeverHasNotLed() {
        candidate(threads).campaign(ROLE, UNFENCED, term -> letGo.await());
        Candidate second = Signet.candidate("bob", server.connect())
                .time(host, host)
                .executor(threads)
                .join();
        Future<Object> done =
                threads.submit((Callable<Object>) () -> second.runWhileLeading(ROLE, UNFENCED, term -> "never"));
        time.advance(Duration.ofSeconds(1));

        Future<?> closing = threads.submit(second::close);
        until(() -> done.isDone() && closing.isDone());

        assertThatExceptionOfType(java.util.concurrent.ExecutionException.class)
                .isThrownBy(done::get)
                .withCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void aCandidateThatIsClosedOnAnInterruptedThreadEndsItsTermsAndReleasesItsRolesAllTheSame() {
        List<Term> terms = new CopyOnWriteArrayList<>();
        Candidate candidate = Signet.candidate("ada", store)
                .executor(threads)
                .drain(Duration.ofMillis(50))
                .join();
        candidate.campaign(ROLE, UNFENCED, term -> {
            terms.add(term);
            letGo.await();
        });
        waitFor(() -> !terms.isEmpty());

        Thread.currentThread().interrupt();
        candidate.close();
        assertThat(Thread.interrupted()).as("the flag is kept").isTrue();

        waitFor(() -> terms.get(0).ended().toCompletableFuture().isDone());
        waitFor(this::isFree);
    }

    @Test
    void aListenerMayCloseItsCandidate() throws Exception {
        CountDownLatch returned = new CountDownLatch(1);
        AtomicReference<Candidate> candidate = new AtomicReference<>();
        candidate.set(Signet.candidate("ada", store).executor(threads).join());
        candidate.get().campaign(ROLE, UNFENCED, term -> {
            candidate.get().close();
            returned.countDown();
        });

        waitFor(() -> returned.getCount() == 0);
        waitFor(this::isFree);
    }

    /** In real time, for candidates with an event loop of their own. */
    private void waitFor(BooleanSupplier condition) {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as("the condition came true within 10 s")
                    .isLessThan(giveUp);
            time.settle();
            Thread.onSpinWait();
        }
    }

    private Candidate candidate(Executor executor) {
        return Signet.candidate("ada", store)
                .time(host, host)
                .executor(executor)
                .join();
    }

    private boolean isFree() {
        var asked = reader.read(ROLE, Duration.ofSeconds(1)).toCompletableFuture();
        time.settle();
        return asked.join().<Boolean>fold(RoleView::claimable, refused -> false, unknown -> false);
    }

    private void block() {
        try {
            letGo.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets a little time pass, again and again, while other threads do their part. */
    private void until(BooleanSupplier condition) {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as("the condition came true within 30 s")
                    .isLessThan(giveUp);
            time.advance(Duration.ofMillis(1));
            Thread.onSpinWait();
        }
    }
}
