package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.FencingToken;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.HeldDigest;
import dev.signet.store.Store;
import dev.signet.store.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/** What a store has to say about itself to be put through {@link StoreContract}, and what its clauses are written with. */
abstract class StoreFixture {

    static final Role LEDGER = Role.of("ledger");

    /** For a new connection and a new watch, in real time whatever the store's is. */
    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final List<Store> clients = new ArrayList<>();
    private final List<Watch> watches = new CopyOnWriteArrayList<>();
    private final List<StoreActor> actors = new CopyOnWriteArrayList<>();
    private final AtomicLong plannedNanos = new AtomicLong();
    private Namespace namespace = newNamespace();
    private int stretch = 1;

    private static Namespace newNamespace() {
        return new Namespace("kit-" + TermId.random().secret().substring(0, 12));
    }

    /** A client of the store under test, with connections of its own. The kit closes it. */
    protected abstract Store connect(Namespace inNamespace);

    /** Returns after at least this much time has passed on the store's clock, and hardly more. */
    protected abstract void pass(Duration time);

    /** Ends the store and starts it again on the same records. Clients made before it are closed already. */
    protected abstract void restart();

    /** The lease of the sessions here; a store on real time sets the shortest that it keeps well. */
    protected Duration lease() {
        return Duration.ofSeconds(15);
    }

    /** Of each call that is to be answered: long enough for a machine that is busy with much else. */
    protected Duration timeout() {
        return Duration.ofSeconds(20);
    }

    /** What a machine that has other things to do may add to whatever is to happen within a bound. */
    protected Duration slack() {
        return Duration.ofSeconds(3);
    }

    /** Of the clock that {@link #pass} moves, from any origin; overridden where that is a clock of the test's own. */
    protected long nanos() {
        return System.nanoTime();
    }

    /** How much later than the lease's end a role may become grantable (C4). */
    protected Duration grantableAfterExpiry() {
        return Duration.ofMillis(100);
    }

    /** Rounds of the race between a renewal and the decision to expire (C17). */
    protected int races() {
        return 40;
    }

    @AfterEach
    void closeClients() {
        watches.forEach(Watch::close);
        closeStores();
    }

    final Namespace namespace() {
        return namespace;
    }

    final void restartWithoutClients() {
        closeStores();
        restart();
    }

    final void closeStores() {
        clients.forEach(Store::close);
    }

    final Store connected() {
        return connected(namespace);
    }

    final Store connected(Namespace inNamespace) {
        Store store = connect(inNamespace);
        clients.add(store);
        return store;
    }

    /** As the story goes: whatever more passes is the machine's doing. */
    final void letPass(Duration time) {
        plannedNanos.addAndGet(time.toNanos());
        pass(time);
    }

    final void passLease() {
        letPass(aLease().plus(grantableAfterExpiry()));
    }

    /** Returns once {@code duration} has passed since {@code sinceNanos}. */
    final void passUntil(long sinceNanos, Duration duration) {
        long left = duration.toNanos() - (nanos() - sinceNanos);
        if (left > 0) {
            letPass(Duration.ofNanos(left));
        }
    }

    /** Part of a lease, in tenths. */
    final Duration tenths(int tenths) {
        return aLease().multipliedBy(tenths).dividedBy(10);
    }

    /** Of the sessions in a story: the adapter's, or a longer one where that was too short for this machine. */
    final Duration aLease() {
        return lease().multipliedBy(stretch);
    }

    /**
     * Tells a story, and tells it again where it failed after a session had been left for a whole lease that was not the story's
     * to pass: such a machine was too slow to show anything. It is told then on names of its own, with leases twice as long.
     */
    final void tell(Executable story) throws Throwable {
        for (int left = 3; ; left--) {
            actors.clear();
            try {
                story.execute();
                return;
            } catch (AssertionError fault) {
                if (left == 0 || actors.stream().noneMatch(StoreActor::wasLeftAlone)) {
                    throw fault;
                }
                System.out.printf(
                        "store contract: %s: told again, since this machine let %s pass: %s%n",
                        getClass().getSimpleName(), aLease(), fault.getMessage());
                namespace = newNamespace();
                stretch *= 2;
            }
        }
    }

    /** The test where this store can be disturbed so, and no test where it cannot, which is then declared. */
    final <T> List<DynamicTest> where(Class<T> means, Consumer<T> test) {
        return means.isInstance(this)
                ? List.of(
                        DynamicTest.dynamicTest(means.getSimpleName(), () -> tell(() -> test.accept(means.cast(this)))))
                : List.of();
    }

    final StoreActor actor(String name) {
        return actor(name, connected(), aLease());
    }

    final StoreActor actor(String name, Store store, Duration lease) {
        StoreActor actor = new StoreActor(store, name, lease, timeout(), this::nanos, plannedNanos::get);
        actors.add(actor);
        return actor;
    }

    final SeenViews watch(Store store, Role role) {
        SeenViews seen = new SeenViews(bound(store));
        watches.add(store.watch(role, seen));
        return seen;
    }

    /** Begins again a little after it was broken, as a candidate does. */
    final SeenViews watchAgain(Store store, Role role) {
        Executor soon = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);
        SeenViews seen = new SeenViews(
                bound(store).plus(AGAIN), views -> soon.execute(() -> watches.add(store.watch(role, views))));
        watches.add(store.watch(role, seen));
        return seen;
    }

    /** Within which a watcher is told on any machine. That the stated bound (C8) is kept is measured apart. */
    final Duration bound(Store store) {
        return store.traits().wakeBound().plus(slack()).plus(timeout());
    }

    final void assertDigest(StoreActor actor, Map<Role, FencingToken> held) {
        actor.renew().heldDigest().ifPresent(digest -> assertThat(digest).isEqualTo(HeldDigest.of(held)));
    }
}
