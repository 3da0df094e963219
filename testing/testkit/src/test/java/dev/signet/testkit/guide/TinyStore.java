package dev.signet.testkit.guide;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
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
import dev.signet.testkit.StoreModel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

final class TinyStore implements Store {

    /** What outlives its clients; a database, in a store that is one. */
    static final class Records {

        private final StoreId storeId = StoreId.random();
        private final LongSupplier clock;
        private final Map<Namespace, StoreModel> models = new ConcurrentHashMap<>();

        Records(LongSupplier clock) {
            this.clock = clock;
        }

        /** One request, whole: a transaction, in a store that has them. */
        private <A> A take(Namespace namespace, Transaction<A> transaction) {
            StoreModel model = models.computeIfAbsent(namespace, unseen -> new StoreModel(storeId));
            synchronized (model) {
                return transaction.on(model, clock.getAsLong());
            }
        }
    }

    private interface Transaction<A> {
        A on(StoreModel model, long nowNanos);
    }

    private static final long POLL_MILLIS = 20;

    private final Records records;
    private final Namespace namespace;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread made = new Thread(work, "tiny-store");
        made.setDaemon(true);
        return made;
    });

    TinyStore(Records records, Namespace namespace) {
        this.records = records;
        this.namespace = namespace;
    }

    /** Off the caller's thread, answered once, in time, and never exceptionally. */
    private <D, R> CompletionStage<Answer<D, R>> send(Transaction<Answer<D, R>> request, Duration timeout) {
        CompletableFuture<Answer<D, R>> answer;
        try {
            answer = CompletableFuture.supplyAsync(() -> records.take(namespace, request), thread);
        } catch (RejectedExecutionException closed) {
            return CompletableFuture.completedStage(Answer.unknown("this client of the store is closed"));
        }
        return answer.exceptionally(fault -> Answer.unknown(fault.toString()))
                .completeOnTimeout(
                        Answer.unknown("no answer within " + timeout), timeout.toNanos(), TimeUnit.NANOSECONDS)
                .minimalCompletionStage();
    }

    @Override
    public StoreTraits traits() {
        return new StoreTraits(
                "tiny",
                StoreTraits.Kind.IN_PROCESS,
                Optional.of("its records live in this process only"),
                false,
                true,
                Duration.ofMillis(2 * POLL_MILLIS));
    }

    @Override
    public CompletionStage<Answer<Opened, StoreRefusal>> open(OpenSession request, Duration timeout) {
        return send((model, now) -> model.open(request, now), timeout);
    }

    @Override
    public CompletionStage<Answer<Renewed, SessionGone>> renew(SessionId session, Duration timeout) {
        return send((model, now) -> model.renew(session, now), timeout);
    }

    @Override
    public CompletionStage<Answer<Grant, NotGranted>> acquire(Acquire request, Duration timeout) {
        return send((model, now) -> model.acquire(request, now), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> release(Release request, Duration timeout) {
        return send((model, now) -> model.release(request, now), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, NotReserved>> reserve(Reserve request, Duration timeout) {
        return send((model, now) -> model.reserve(request, now), timeout);
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> close(SessionId session, Duration timeout) {
        return send((model, now) -> model.close(session), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> enlist(SessionId session, Role role, Duration timeout) {
        return send((model, now) -> model.enlist(session, role, now), timeout);
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> withdraw(SessionId session, Role role, Duration timeout) {
        return send((model, now) -> model.withdraw(session, role), timeout);
    }

    @Override
    public CompletionStage<Answer<List<Grant>, SessionGone>> held(SessionId session, Duration timeout) {
        return send((model, now) -> model.held(session, now), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, StoreRefusal>> read(Role role, Duration timeout) {
        return send((model, now) -> model.read(role, now), timeout);
    }

    @Override
    public CompletionStage<Answer<List<RoleView>, StoreRefusal>> roles(Duration timeout) {
        return send(StoreModel::roles, timeout);
    }

    @Override
    public CompletionStage<Answer<List<CandidateId>, StoreRefusal>> candidates(Role role, Duration timeout) {
        return send((model, now) -> model.candidates(role, now), timeout);
    }

    /** Polls, and tells what differs, on the store's one thread, so that versions never go back. */
    @Override
    public Watch watch(Role role, WatchObserver observer) {
        Runnable tell = new Runnable() {
            private @Nullable Object told;

            @Override
            public void run() {
                RoleView view = records.take(namespace, (model, now) -> view(model.read(role, now)));
                Object looks = List.of(
                        view.version(), view.claimable(), view.reservation().isPresent());
                if (!looks.equals(told)) {
                    told = looks;
                    observer.observed(view);
                }
            }
        };
        Future<?> polling = thread.scheduleWithFixedDelay(tell, 0, POLL_MILLIS, TimeUnit.MILLISECONDS);
        return () -> polling.cancel(false);
    }

    private static RoleView view(Answer<RoleView, StoreRefusal> answer) {
        return ((Answer.Done<RoleView, StoreRefusal>) answer).value();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
