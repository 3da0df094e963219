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
import org.junit.jupiter.api.AfterEach;

/** What a store has to say about itself to be put through {@link StoreContract}, and what its clauses are written with. */
abstract class StoreFixture {

    static final Role LEDGER = Role.of("ledger");

    private final List<Store> clients = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();
    private final Namespace namespace =
            new Namespace("kit-" + TermId.random().secret().substring(0, 12));

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

    /** Of each call. */
    protected Duration timeout() {
        return Duration.ofSeconds(5);
    }

    /** How much later than the lease's end a role may become grantable (C4). */
    protected Duration grantableAfterExpiry() {
        return Duration.ofMillis(100);
    }

    /** Rounds of the races that cost a lease each. */
    protected int races() {
        return 40;
    }

    /** Roles on one session in the everyday run (C15). */
    protected int manyRoles() {
        return 1_000;
    }

    @AfterEach
    void closeClients() {
        watches.forEach(Watch::close);
        clients.forEach(Store::close);
    }

    final Namespace namespace() {
        return namespace;
    }

    final void restartWithoutClients() {
        clients.forEach(Store::close);
        restart();
    }

    final Store connected() {
        return connected(namespace);
    }

    final Store connected(Namespace inNamespace) {
        Store store = connect(inNamespace);
        clients.add(store);
        return store;
    }

    final void passLease() {
        pass(lease().plus(grantableAfterExpiry()));
    }

    final StoreActor actor(String name) {
        return actor(name, connected(), lease());
    }

    final StoreActor actor(String name, Store store, Duration lease) {
        return new StoreActor(store, name, lease, timeout());
    }

    final SeenViews watch(Store store, Role role) {
        SeenViews seen = new SeenViews(bound(store));
        watches.add(store.watch(role, seen));
        return seen;
    }

    /** The bound that the store states for its watches (C8), and a call's time for a machine that has other things to do. */
    final Duration bound(Store store) {
        return store.traits().wakeBound().plus(timeout());
    }

    final void assertDigest(StoreActor actor, Map<Role, FencingToken> held) {
        actor.renew().heldDigest().ifPresent(digest -> assertThat(digest).isEqualTo(HeldDigest.of(held)));
    }
}
