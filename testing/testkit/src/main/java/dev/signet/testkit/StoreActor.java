package dev.signet.testkit;

import static dev.signet.testkit.Answers.done;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Concluded;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.OpenSession;
import dev.signet.store.Opened;
import dev.signet.store.Release;
import dev.signet.store.Renewed;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import dev.signet.store.StoreRefusal;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** One candidate of a contract kit, on one session; it numbers its attempts. */
final class StoreActor {

    static final Advertised ADDRESSES = new Advertised(
            Optional.of(URI.create("https://public.example/x")), Optional.of(URI.create("http://10.0.0.1:8080")));

    private final Store store;
    private final CandidateId id;
    private final Duration lease;
    private final Duration timeout;
    private final SessionId session = SessionId.random();
    private final StoreId storeId;
    private final LongSupplier clock;
    private final LongSupplier plan;
    private long attempts;
    private long renewedNanos;
    private long renewedPlanNanos;
    private boolean opened;
    private boolean closed;
    private boolean late;

    /**
     * Opens the session.
     *
     * @param clock that the lease is about
     * @param plan how much of it the story let pass so far
     */
    StoreActor(Store store, String name, Duration lease, Duration timeout, LongSupplier clock, LongSupplier plan) {
        this.clock = clock;
        this.plan = plan;
        this.store = store;
        this.id = CandidateId.incarnationOf(name);
        this.lease = lease;
        this.timeout = timeout;
        this.storeId = done(open()).storeId();
    }

    Store store() {
        return store;
    }

    CandidateId id() {
        return id;
    }

    SessionId session() {
        return session;
    }

    StoreId storeId() {
        return storeId;
    }

    CompletionStage<Answer<Opened, StoreRefusal>> open() {
        sends();
        return store.open(new OpenSession(session, id, ADDRESSES, lease), timeout);
    }

    /** A request from which the lease counts anew, if it succeeds. */
    private void sends() {
        late |= isLate();
        renewedNanos = clock.getAsLong();
        renewedPlanNanos = plan.getAsLong();
        opened = true;
    }

    private boolean isLate() {
        long hardly = lease.toNanos() / 20 * 19;
        return opened && clock.getAsLong() - renewedNanos > hardly && plan.getAsLong() - renewedPlanNanos < hardly;
    }

    /** Whether a lease passed without a renewal, or nearly did, though the story let less pass. */
    boolean wasLeftAlone() {
        return late || (!closed && isLate());
    }

    Renewed renew() {
        sends();
        return done(store.renew(session, timeout));
    }

    void close() {
        closed = true;
        assertThat(done(store.close(session, timeout))).isEqualTo(Concluded.CONCLUDED);
    }

    RoleView enlist(Role role) {
        return done(store.enlist(session, role, timeout));
    }

    RoleView read(Role role) {
        return done(store.read(role, timeout));
    }

    List<Grant> held() {
        return done(store.held(session, timeout));
    }

    Acquire request(Role role) {
        return requestOn(read(role));
    }

    Acquire requestOn(RoleView seen) {
        return requestAbove(seen, 0);
    }

    private Acquire requestAbove(RoleView seen, long floor) {
        attempts++;
        return new Acquire(session, seen.role(), attempts, TermId.random(), floor, seen.version());
    }

    CompletionStage<Answer<Grant, NotGranted>> send(Acquire request) {
        return store.acquire(request, timeout);
    }

    Grant acquire(Role role) {
        return done(send(request(role)));
    }

    Grant acquireAbove(Role role, long floor) {
        return done(send(requestAbove(read(role), floor)));
    }

    void release(Role role) {
        done(store.release(new Release(session, role, attempts, read(role).version()), timeout));
    }

    CompletionStage<Answer<RoleView, NotReserved>> reserve(Grant grant, CandidateId target, Duration window) {
        return store.reserve(new Reserve(session, grant.role(), grant.attempt(), target, window), timeout);
    }
}
