package dev.signet.testkit;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Role;
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
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import dev.signet.store.StoreRefusal;
import dev.signet.store.StoreTraits;
import dev.signet.store.Watch;
import dev.signet.store.WatchObserver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Any store, reached over a way on which requests may be late, doubled or unheard of. A TCP connection cannot be made to do
 * so without breaking its stream; here it is done where requests are still values:
 *
 * <pre>{@code
 * LateStore way = new LateStore(store);
 * LateStore.Delivery late = way.keepNext(Call.ACQUIRE);
 * way.acquire(request, timeout);     // unknown, at once
 * way.release(release, timeout);
 * late.arrive();                     // now the store sees the acquire; and once more, if called again
 * }</pre>
 *
 * <p>Requests that no fate was planned for pass as they are. Thread-safe; closing it closes the store.
 */
public final class LateStore implements Store {

    private final Store store;
    private final Map<Call, Queue<Delivery>> planned = new ConcurrentHashMap<>();

    public LateStore(Store store) {
        this.store = store;
    }

    /** The next request of this kind does not arrive before the test says so, and its caller is told that nobody knows. */
    public Delivery keepNext(Call call) {
        return plan(call, Fate.KEPT);
    }

    /** The next request of this kind takes effect, and its caller is told that nobody knows. */
    public Delivery muteNext(Call call) {
        return plan(call, Fate.MUTE);
    }

    /** The next request of this kind passes as it is, and copies of it can be delivered later. */
    public Delivery copyNext(Call call) {
        return plan(call, Fate.COPIED);
    }

    private Delivery plan(Call call, Fate fate) {
        Delivery delivery = new Delivery(fate);
        planned.computeIfAbsent(call, none -> new ConcurrentLinkedQueue<>()).add(delivery);
        return delivery;
    }

    private <D, R> CompletionStage<Answer<D, R>> send(Call call, Supplier<CompletionStage<Answer<D, R>>> request) {
        Queue<Delivery> fates = planned.get(call);
        Delivery fate = fates == null ? null : fates.poll();
        return fate == null ? request.get() : fate.carry(request);
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public CompletionStage<Answer<Opened, StoreRefusal>> open(OpenSession request, Duration timeout) {
        return send(Call.OPEN, () -> store.open(request, timeout));
    }

    @Override
    public CompletionStage<Answer<Renewed, SessionGone>> renew(SessionId session, Duration timeout) {
        return send(Call.RENEW, () -> store.renew(session, timeout));
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> close(SessionId session, Duration timeout) {
        return send(Call.CLOSE, () -> store.close(session, timeout));
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> enlist(SessionId session, Role role, Duration timeout) {
        return send(Call.ENLIST, () -> store.enlist(session, role, timeout));
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> withdraw(SessionId session, Role role, Duration timeout) {
        return send(Call.WITHDRAW, () -> store.withdraw(session, role, timeout));
    }

    @Override
    public CompletionStage<Answer<Grant, NotGranted>> acquire(Acquire request, Duration timeout) {
        return send(Call.ACQUIRE, () -> store.acquire(request, timeout));
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> release(Release request, Duration timeout) {
        return send(Call.RELEASE, () -> store.release(request, timeout));
    }

    @Override
    public CompletionStage<Answer<RoleView, NotReserved>> reserve(Reserve request, Duration timeout) {
        return send(Call.RESERVE, () -> store.reserve(request, timeout));
    }

    @Override
    public CompletionStage<Answer<List<Grant>, SessionGone>> held(SessionId session, Duration timeout) {
        return send(Call.HELD, () -> store.held(session, timeout));
    }

    @Override
    public CompletionStage<Answer<RoleView, StoreRefusal>> read(Role role, Duration timeout) {
        return send(Call.READ, () -> store.read(role, timeout));
    }

    @Override
    public CompletionStage<Answer<List<RoleView>, StoreRefusal>> roles(Duration timeout) {
        return send(Call.ROLES, () -> store.roles(timeout));
    }

    @Override
    public CompletionStage<Answer<List<CandidateId>, StoreRefusal>> candidates(Role role, Duration timeout) {
        return send(Call.CANDIDATES, () -> store.candidates(role, timeout));
    }

    @Override
    public Watch watch(Role role, WatchObserver observer) {
        return store.watch(role, observer);
    }

    @Override
    public void close() {
        store.close();
    }

    private enum Fate {
        KEPT,
        MUTE,
        COPIED
    }

    /** A request that was singled out, once it has been made. Thread-safe. */
    public static final class Delivery {

        private final Fate fate;
        private volatile @Nullable Supplier<? extends CompletionStage<? extends Answer<?, ?>>> request;

        private Delivery(Fate fate) {
            this.fate = fate;
        }

        private <D, R> CompletionStage<Answer<D, R>> carry(Supplier<CompletionStage<Answer<D, R>>> made) {
            request = made;
            return switch (fate) {
                case KEPT ->
                    CompletableFuture.<Answer<D, R>>completedFuture(Answer.unknown("the connection broke"))
                            .minimalCompletionStage();
                case MUTE -> made.get().thenApply(unheard -> Answer.unknown("the connection broke before the answer"));
                case COPIED -> made.get();
            };
        }

        /**
         * The store is given the request now, once more if it had it before.
         *
         * @return its answer, of which the caller of the request never hears
         * @throws IllegalStateException if the request has not been made yet
         */
        public CompletionStage<? extends Answer<?, ?>> arrive() {
            Supplier<? extends CompletionStage<? extends Answer<?, ?>>> made = request;
            if (made == null) {
                throw new IllegalStateException("the request has not been made yet: there is nothing to deliver");
            }
            return made.get();
        }
    }
}
