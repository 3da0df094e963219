package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.HeldDigest;
import dev.signet.store.NotGranted;
import dev.signet.store.OpenSession;
import dev.signet.store.RoleView;
import dev.signet.store.WatchObserver;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** Interleavings of two processes, each held at one statement of its own until the other has gone on. */
enum ServerScenario {
    /** Bob has found that ada's lease has ended; she renews before he ends her session. */
    RENEWED_BETWEEN_FINDING_AND_ENDING {
        @Override
        void play(Stage stage) throws SQLException {
            Ask ada = stage.expired();
            Ask bob = stage.candidate();
            Acquire request = bob.request(bob.read(LEDGER));
            stage.at(bob, step -> step.sql().contains("FROM signet_session WHERE number = ?"), () -> {
                assertThat(ada.renew()).isTrue();
            });
            assertThat(Ask.now(bob.store.acquire(request, Ask.TIMEOUT))).isInstanceOf(Answer.Refused.class);
            assertThat(ada.renew()).isTrue();
        }
    },
    /** Ada's renewal is carried out but not committed when bob looks. */
    RENEWAL_NOT_YET_COMMITTED {
        @Override
        void play(Stage stage) throws SQLException {
            Ask ada = stage.expired();
            Ask bob = stage.candidate();
            Acquire request = bob.request(bob.read(LEDGER));
            AtomicReference<CompletableFuture<Answer<Grant, NotGranted>>> takeover = new AtomicReference<>();
            stage.at(
                    ada,
                    step -> step.isHeartbeat() && step.isCommit(),
                    () -> takeover.set(stage.meanwhile(bob, request)));
            boolean renewed = ada.renew();
            boolean granted = Ask.now(takeover.get()) instanceof Answer.Done;
            assertThat(renewed && granted).as("both").isFalse();
        }
    },
    /** Bob's grant is carried out but not committed when carol asks for the same. */
    GRANT_NOT_YET_COMMITTED {
        @Override
        void play(Stage stage) {
            Ask bob = stage.candidate();
            Ask carol = stage.candidate();
            bob.release(bob.acquire(LEDGER));
            Acquire first = bob.request(bob.read(LEDGER));
            Acquire second = carol.request(carol.read(LEDGER));
            AtomicReference<CompletableFuture<Answer<Grant, NotGranted>>> other = new AtomicReference<>();
            stage.at(bob, step -> step.isWrite() && step.isCommit(), () -> other.set(stage.meanwhile(carol, second)));
            assertThat(Ask.now(bob.store.acquire(first, Ask.TIMEOUT))).isInstanceOf(Answer.Done.class);
            assertThat(Ask.now(other.get())).isInstanceOf(Answer.Refused.class);
        }
    },
    OLD_HOLDER_IS_GONE {
        @Override
        void play(Stage stage) throws SQLException {
            Ask ada = stage.expired();
            stage.candidate().acquire(LEDGER);
            assertThat(ada.renew()).isFalse();
        }
    },
    /** Time passes between the transaction's begin and its look at the clock. */
    LEASE_BEGINS_WHEN_THE_CLOCK_IS_READ {
        @Override
        void play(Stage stage) throws SQLException {
            Ask ada = stage.candidate();
            AtomicReference<Long> read = new AtomicReference<>();
            stage.after(ada, step -> step.isHeartbeat() && step.sql().contains("FROM signet_session"), () -> {
                Site.pause(Duration.ofSeconds(1));
                read.set(System.nanoTime());
            });
            assertThat(ada.renew()).isTrue();
            long left = stage.site.number(
                    "SELECT min(ends_at_nanos) - 1000 * " + stage.site.product.micros() + " FROM signet_session");
            assertThat(Duration.ofNanos(left).plus(Site.since(read.get()))).isGreaterThan(LONG.minusMillis(500));
        }
    },
    /** Nobody had it when bob looked; ada takes it before he makes its record. */
    RECORD_MADE_BY_ANOTHER {
        @Override
        void play(Stage stage) {
            Ask ada = stage.candidate();
            Ask bob = stage.candidate();
            stage.at(
                    bob,
                    step -> step.sql().contains("INTO signet_role (namespace, name, version, token) VALUES"),
                    () -> ada.acquire(LEDGER));
            Acquire request = bob.request(RoleView.absent(LEDGER));
            assertThat(Ask.now(bob.store.acquire(request, Ask.TIMEOUT))).isInstanceOf(Answer.Refused.class);
            assertThat(Ask.done(ada.store.held(ada.session, Ask.TIMEOUT))).hasSize(1);
            assertThat(ada.read(LEDGER).lastToken()).isEqualTo(1);
        }
    },
    DECIDED_ON_AN_OLD_RECORD {
        @Override
        void play(Stage stage) {
            Ask ada = stage.candidate();
            Ask bob = stage.candidate();
            ada.release(ada.acquire(LEDGER));
            Acquire late = bob.request(bob.read(LEDGER));
            ada.release(ada.acquire(LEDGER));
            assertThat(Ask.now(bob.store.acquire(late, Ask.TIMEOUT))).isInstanceOf(Answer.Refused.class);
        }
    },
    /** The second grant of one transaction was decided on a record that moved while the transaction was open. */
    RECORD_MOVED_IN_THE_MIDST_OF_A_BATCH {
        @Override
        void play(Stage stage) {
            Ask ada = stage.candidate();
            Ask bob = stage.candidate();
            for (Role role : new Role[] {LEDGER, OTHER}) {
                ada.release(ada.acquire(role));
            }
            Acquire one = bob.request(bob.read(OTHER));
            Acquire two = bob.request(bob.read(LEDGER));
            AtomicReference<CompletableFuture<Answer<Grant, NotGranted>>> first = new AtomicReference<>();
            AtomicReference<CompletableFuture<Answer<Grant, NotGranted>>> second = new AtomicReference<>();
            AtomicInteger locks = new AtomicInteger();
            Predicate<Disturbance.Step> secondLock = step -> step.sql().startsWith("SELECT 1 FROM signet_role")
                    && step.sql().contains("FOR UPDATE")
                    && locks.incrementAndGet() == 2;
            stage.at(bob, step -> step.isWrite() && step.isCommit(), () -> {
                stage.at(bob, secondLock, () -> ada.acquire(LEDGER));
                first.set(bob.store.acquire(one, Ask.TIMEOUT).toCompletableFuture());
                second.set(bob.store.acquire(two, Ask.TIMEOUT).toCompletableFuture());
            });
            var unused = Ask.now(bob.store.withdraw(bob.session, OTHER, Ask.TIMEOUT));
            Answer<Grant, NotGranted> firstAnswer = Ask.now(first.get());
            assertThat(Ask.now(second.get())).isInstanceOf(Answer.Refused.class);
            assertThat(firstAnswer).isInstanceOf(Answer.Done.class);
            assertThat(locks.get()).as("both in one transaction").isEqualTo(2);
            assertThat(ada.read(LEDGER).lastToken()).isEqualTo(2);
            assertThat(Ask.done(ada.store.held(ada.session, Ask.TIMEOUT))).hasSize(1);
            assertThat(stage.faults.get())
                    .as("transactions that had to be done again")
                    .isZero();
        }
    },
    /** Ada's renewal has found her session; bob ends it before she writes. */
    ENDED_BETWEEN_FINDING_AND_RENEWING {
        @Override
        void play(Stage stage) throws SQLException {
            Ask ada = stage.expired();
            Ask bob = stage.candidate();
            stage.at(ada, step -> step.sql().startsWith("UPDATE signet_session SET"), () -> bob.acquire(LEDGER));
            assertThat(ada.renew()).isFalse();
            assertThat(ada.renew()).isFalse();
            assertThat(stage.site.number("SELECT count(*) FROM signet_session")).isEqualTo(1);
        }
    },
    /** One session takes two roles over two connections at once, as when the first is given up too early. */
    ONE_SESSION_OVER_TWO_CONNECTIONS {
        @Override
        void play(Stage stage) {
            Ask ada = stage.candidate();
            JdbcStore another = stage.store();
            Acquire elsewhere = new Acquire(ada.session, OTHER, 99, TermId.random(), 0, 0);
            AtomicReference<CompletableFuture<Answer<Grant, NotGranted>>> other = new AtomicReference<>();
            stage.at(
                    ada,
                    step -> step.isWrite() && step.isCommit(),
                    () -> other.set(stage.meanwhile(another, elsewhere)));
            ada.acquire(LEDGER);
            assertThat(Ask.now(other.get())).isInstanceOf(Answer.Done.class);
            assertThat(Ask.done(ada.store.renew(ada.session, Ask.TIMEOUT)).heldDigest())
                    .hasValue(HeldDigest.of(Map.of(LEDGER, FencingToken.FIRST, OTHER, FencingToken.FIRST)));
        }
    },
    SOMEBODY_KEEPS_A_RECORD_LOCKED {
        @Override
        void play(Stage stage) throws SQLException {
            Ask bob = stage.candidate();
            bob.release(bob.acquire(LEDGER));
            Acquire stuck = bob.request(bob.read(LEDGER));
            Connection holder = stage.site.transaction();
            Site.execute(holder, "UPDATE signet_role SET token = token");
            CompletableFuture<?> waits = bob.store.acquire(stuck, LONG).toCompletableFuture();
            Acquire other = bob.request(RoleView.absent(OTHER));
            assertThat(Ask.now(bob.store.acquire(other, Duration.ofSeconds(4)))).isInstanceOf(Answer.Done.class);
            assertThat(waits).isNotDone();
            holder.rollback();
        }
    },
    OPENED_AGAIN_AFTER_ITS_END {
        @Override
        void play(Stage stage) throws SQLException {
            Ask ada = stage.expired();
            stage.candidate().acquire(LEDGER);
            OpenSession copy = new OpenSession(ada.session, ada.id, Advertised.NOTHING, LONG);
            assertThat(Ask.now(ada.store.open(copy, Ask.TIMEOUT))).isInstanceOf(Answer.Refused.class);
        }
    },
    HOLDER_LIVES {
        @Override
        void play(Stage stage) {
            Ask ada = stage.candidate();
            ada.acquire(LEDGER);
            assertThat(stage.candidate().tryAcquire(LEDGER)).isEmpty();
            assertThat(ada.renew()).isTrue();
        }
    },
    /** Far between are the looks of who waits. */
    WAITER_IS_CALLED {
        @Override
        void play(Stage stage) {
            Ask ada = stage.candidate();
            Grant grant = ada.acquire(LEDGER);
            Seen seen = stage.watch(LEDGER, Duration.ofSeconds(50));
            ada.release(grant);
            Site.await("called", Duration.ofSeconds(8), () -> seen.version > grant.version());
        }
    },
    /** A transaction commits ten seconds after its version was chosen. */
    COMMITTED_LATE {
        @Override
        void play(Stage stage) throws SQLException {
            String now = stage.site.product.micros();
            stage.site.execute("INSERT INTO signet_role (namespace, name, version, token) VALUES ('default', 'ledger', "
                    + now + " - 20000000, 0)");
            Seen seen = stage.watch(LEDGER, Duration.ofSeconds(1));
            long first = seen.version;
            stage.site.execute("UPDATE signet_role SET version = version + 10000000");
            Site.await("seen", Duration.ofSeconds(6), () -> seen.version > first);
        }
    },
    /** Bob is stopped when he has made a record and locked nothing yet. */
    STOPPED_AFTER_MAKING_A_RECORD {
        @Override
        void play(Stage stage) {
            Ask bob = stage.candidate();
            Ask carol = stage.candidate();
            AtomicReference<Answer<Grant, NotGranted>> answer = new AtomicReference<>();
            stage.at(bob, step -> step.sql().startsWith("SELECT 1 FROM signet_role"), () -> {
                Acquire request = carol.request(RoleView.absent(LEDGER));
                answer.set(Ask.now(carol.store.acquire(request, Duration.ofSeconds(4))));
            });
            var unused = bob.tryAcquire(LEDGER);
            assertThat(answer.get()).isInstanceOf(Answer.Done.class);
        }
    };

    private static final Role LEDGER = Role.of("ledger");
    private static final Role OTHER = Role.of("other");
    private static final Duration LONG = Duration.ofMinutes(5);

    abstract void play(Stage stage) throws SQLException;

    static final class Seen implements WatchObserver {

        private volatile long version = -1;

        @Override
        public void observed(RoleView view) {
            version = view.version();
        }

        @Override
        public void broken(String cause) {}
    }

    /** Where it is played: with stores that all have the same mutation. */
    static final class Stage implements AutoCloseable {

        private static final int MANY_STATEMENTS = 40;
        private static final Duration STUCK = Duration.ofSeconds(1);

        final Site site;
        final AtomicInteger faults = new AtomicInteger();
        private final Disturbance mutation;
        private final Map<JdbcStore, Gate> gates = new ConcurrentHashMap<>();

        Stage(Product product, Disturbance mutation) {
            this.site = Site.on(product);
            this.mutation = mutation;
        }

        JdbcStore store() {
            return store(Site.PATIENT);
        }

        private JdbcStore store(JdbcStoreOptions options) {
            Gate gate = new Gate(mutation, faults);
            JdbcStore store = site.store(gate, options);
            gates.put(store, gate);
            return store;
        }

        Ask candidate() {
            return new Ask(store()).open(LONG);
        }

        /** Holds the ledger, and its lease has ended; if it renews, it has a long one again. */
        Ask expired() throws SQLException {
            Ask ada = candidate();
            ada.acquire(LEDGER);
            site.execute("UPDATE signet_session SET ends_at_nanos = ends_at_nanos - lease_nanos - 1000000000");
            return ada;
        }

        /** Once, before it sends such a statement, this is done by its thread. */
        void at(Ask who, Predicate<Disturbance.Step> when, Runnable then) {
            gates.get((JdbcStore) who.store).arm(when, then, true);
        }

        /** Once, when such a statement was answered. */
        void after(Ask who, Predicate<Disturbance.Step> when, Runnable then) {
            gates.get((JdbcStore) who.store).arm(when, then, false);
        }

        CompletableFuture<Answer<Grant, NotGranted>> meanwhile(Ask who, Acquire request) {
            return meanwhile((JdbcStore) who.store, request);
        }

        /** Asked, and given the time to get as far as it can: until it is answered, tries again and again, or is stuck. */
        CompletableFuture<Answer<Grant, NotGranted>> meanwhile(JdbcStore store, Acquire request) {
            Gate gate = gates.get(store);
            long before = gate.writes.get();
            CompletableFuture<Answer<Grant, NotGranted>> answer =
                    store.acquire(request, Ask.TIMEOUT).toCompletableFuture();
            long began = System.nanoTime();
            while (!answer.isDone()
                    && gate.writes.get() < before + MANY_STATEMENTS
                    && !(gate.writes.get() > before
                            && Site.since(gate.lastWriteNanos).compareTo(STUCK) > 0)
                    && Site.since(began).compareTo(Ask.TIMEOUT) < 0) {
                Site.pause(Duration.ofMillis(5));
            }
            return answer;
        }

        Seen watch(Role role, Duration interval) {
            Seen seen = new Seen();
            store(Site.PATIENT.withPollInterval(interval)).watch(role, seen);
            Site.await("the first view", Ask.TIMEOUT, () -> seen.version > 0);
            return seen;
        }

        @Override
        public void close() {
            site.close();
        }
    }

    private static final class Gate implements Disturbance {

        private final Disturbance mutation;
        private final AtomicInteger faults;
        private final AtomicLong writes = new AtomicLong();
        private volatile long lastWriteNanos;
        private final AtomicBoolean armed = new AtomicBoolean();
        private volatile Predicate<Step> when = step -> false;
        private volatile Runnable then = () -> {};
        private volatile boolean before;

        Gate(Disturbance mutation, AtomicInteger faults) {
            this.mutation = mutation;
            this.faults = faults;
        }

        void arm(Predicate<Step> at, Runnable action, boolean beforeIt) {
            before = beforeIt;
            when = at;
            then = action;
            armed.set(true);
        }

        private void act(Step step) {
            if (armed.get() && when.test(step) && armed.getAndSet(false)) {
                then.run();
            }
        }

        @Override
        public void before(Step step) {
            if (step.isWrite()) {
                lastWriteNanos = System.nanoTime();
                writes.incrementAndGet();
            }
            if (before) {
                act(step);
            }
        }

        @Override
        public void after(Step step) {
            if (!before) {
                act(step);
            }
        }

        @Override
        public void failed(Step step, SQLException fault) {
            faults.incrementAndGet();
        }

        @Override
        public String rewritten(String sql) {
            return mutation.rewritten(sql);
        }

        @Override
        public int isolation(int wanted) {
            return mutation.isolation(wanted);
        }

        @Override
        public boolean ignoresAutoCommit(boolean wanted) {
            return mutation.ignoresAutoCommit(wanted);
        }
    }
}
