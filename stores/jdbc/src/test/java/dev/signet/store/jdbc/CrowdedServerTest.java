package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.Role;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.RoleView;
import dev.signet.store.WatchObserver;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many roles, and many who want them at once. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class CrowdedServerTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration TIME = Duration.ofSeconds(5);
    private static final int ROLES = 32;

    private Site site;

    @AfterEach
    void close() {
        site.close();
    }

    /** The faults that the server answered with, by code. */
    private static final class Counter implements Disturbance {

        private final Map<String, AtomicInteger> faults = new ConcurrentHashMap<>();
        private final AtomicInteger commits = new AtomicInteger();

        @Override
        public void after(Step step) {
            if (step.isCommit()) {
                commits.incrementAndGet();
            }
        }

        @Override
        public void failed(Step step, SQLException fault) {
            faults.computeIfAbsent(fault.getSQLState() + "/" + fault.getErrorCode(), none -> new AtomicInteger())
                    .incrementAndGet();
        }

        int deadlocks() {
            return faults.entrySet().stream()
                    .filter(entry ->
                            entry.getKey().startsWith("40P01") || entry.getKey().endsWith("/1213"))
                    .mapToInt(entry -> entry.getValue().get())
                    .sum();
        }
    }

    /** Takes, and gives back, and waits for each other's roles, held by sessions that live and by such as do not. */
    @ParameterizedTest
    @EnumSource(Product.class)
    void twoThatWaitForEachOthersRolesDoNotDeadlock(Product product, TestReporter reporter)
            throws InterruptedException {
        site = Site.on(product);
        Counter counter = new Counter();
        List<JdbcStore> stores = List.of(site.store(counter), site.store(counter));
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger granted = new AtomicInteger();
        AtomicInteger unknown = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < stores.size(); i++) {
            JdbcStore store = stores.get(i);
            int me = i;
            threads.add(new Thread(() -> {
                Ask living = new Ask(store).open(LONG);
                while (!over.get()) {
                    Ask mortal = new Ask(store).open(SHORT);
                    List<CompletableFuture<Answer<Grant, NotGranted>>> answers = new ArrayList<>();
                    for (int n = 0; n < ROLES; n++) {
                        // one from the front, one from the back, so that they meet in every order
                        int role = me == 0 ? n : ROLES - 1 - n;
                        Ask ask = n % 2 == 0 ? living : mortal;
                        Role name = Role.of("role " + role);
                        RoleView seen = ask.read(name);
                        if (n % 4 == 0 || seen.claimable()) {
                            answers.add(ask.store
                                    .acquire(ask.request(seen), Ask.TIMEOUT)
                                    .toCompletableFuture());
                        }
                    }
                    for (CompletableFuture<Answer<Grant, NotGranted>> answer : answers) {
                        Answer<Grant, NotGranted> known = Ask.now(answer);
                        if (known instanceof Answer.Done<Grant, NotGranted> done) {
                            granted.incrementAndGet();
                            if (done.value().token().value() % 2 == 0) {
                                living.release(done.value());
                            }
                        } else if (Ask.isUnknown(known)) {
                            unknown.incrementAndGet();
                        }
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        Site.pause(TIME);
        Site.await("grants", LONG, () -> granted.get() > ROLES);
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        reporter.publishEntry(
                product + ": two candidates, " + ROLES + " roles, " + TIME.toSeconds() + " s",
                "granted " + granted + ", commits " + counter.commits + ", deadlocks " + counter.deadlocks()
                        + ", faults " + counter.faults);
        assertThat(unknown.get()).as("answers that were unknown").isZero();
        assertThat(counter.deadlocks()).as("deadlocks").isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void renewalsAreNotHeldUpByGrants(Product product, TestReporter reporter) throws InterruptedException {
        site = Site.on(product);
        JdbcStore store = site.store();
        Ask ada = new Ask(store).open(LONG);
        Ask bob = new Ask(store).open(LONG);
        ada.acquire(Role.of("warm"));
        long idle = p99(ada, () -> {});

        Semaphore inFlight = new Semaphore(ROLES);
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong acquires = new AtomicLong();
        Thread crowd = new Thread(() -> {
            for (int i = 0; !over.get(); i++) {
                inFlight.acquireUninterruptibly();
                Acquire request = bob.request(RoleView.absent(Role.of("role " + i)));
                store.acquire(request, LONG).whenComplete((answer, none) -> {
                    acquires.incrementAndGet();
                    inFlight.release();
                });
            }
        });
        crowd.start();
        Site.await("acquires", LONG, () -> acquires.get() > ROLES);
        long busy = p99(ada, () -> assertThat(inFlight.availablePermits()).isLessThanOrEqualTo(ROLES));
        over.set(true);
        crowd.join();
        reporter.publishEntry(
                product + ": renewal p99",
                "idle " + idle / 1_000 + " us, beside " + acquires + " acquires, " + ROLES + " in flight, "
                        + busy / 1_000 + " us");
        assertThat(busy).isLessThan(20 * idle + Duration.ofMillis(200).toNanos());
    }

    private static long p99(Ask ask, Runnable between) {
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            between.run();
            long began = System.nanoTime();
            assertThat(ask.renew()).isTrue();
            times.add(System.nanoTime() - began);
        }
        times.sort(Long::compare);
        return times.get(times.size() * 99 / 100);
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void aStoreHasFourConnectionsWhateverTheNumberOfRolesAndNoneAfterwards(Product product, TestReporter reporter)
            throws SQLException {
        site = Site.on(product);
        String sessions = product == Product.POSTGRESQL
                ? "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
                : "SELECT count(*) FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()";
        Map<Long, Integer> seen = new TreeMap<>();
        ConcurrentLinkedQueue<String> broken = new ConcurrentLinkedQueue<>();
        AtomicBoolean over = new AtomicBoolean();
        // one connection for all looks: the server counts one for a while after its client has closed it
        Connection looking = site.closing(site.connections().getConnection());
        awaitNone(looking, sessions);
        Thread observer = new Thread(() -> {
            while (!over.get()) {
                try {
                    seen.merge(Product.number(looking, sessions), 1, Integer::sum);
                } catch (SQLException e) {
                    broken.add(e.toString());
                }
            }
        });
        observer.start();
        JdbcStore store = site.store();
        Ask ada = new Ask(store).open(LONG);
        List<CompletableFuture<Answer<Grant, NotGranted>>> answers = new ArrayList<>();
        AtomicInteger views = new AtomicInteger();
        for (int i = 0; i < 300; i++) {
            Role role = Role.of("role " + i);
            store.watch(role, new WatchObserver() {
                @Override
                public void observed(RoleView view) {
                    views.incrementAndGet();
                }

                @Override
                public void broken(String cause) {
                    broken.add(cause);
                }
            });
            Acquire request = ada.request(RoleView.absent(role));
            answers.add(store.acquire(request, LONG).toCompletableFuture());
            var unusedRead = store.read(role, LONG);
            var unusedRenewal = store.renew(ada.session, LONG);
        }
        answers.forEach(answer -> ada.release(Ask.done(answer)));
        Site.await("views", LONG, () -> views.get() >= 300);
        over.set(true);
        try {
            observer.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        reporter.publishEntry(product + ": connections, and how often there were as many", seen.toString());
        assertThat(broken).isEmpty();
        assertThat(seen.keySet()).allMatch(count -> count <= 4).contains(4L);

        store.close();
        awaitNone(looking, sessions);
    }

    private static void awaitNone(Connection looking, String sessions) {
        Site.await("no connection is left", Duration.ofSeconds(5), () -> {
            try {
                return Product.number(looking, sessions) == 0;
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        });
    }
}
