package dev.signet.store.etcd;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreException;
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
import io.grpc.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in an etcd cluster, version 3.5.13 or newer. {@link #init} makes it, nothing else does. All keys are
 * under one prefix; see {@code docs/reference/store-etcd.md} for what they are, and for what etcd does not promise.
 *
 * <p>Thread-safe. Closing it leaves sessions to expire.
 */
public final class EtcdStore implements Store {

    private static final Logger LOG = LoggerFactory.getLogger(EtcdStore.class);

    private static final Duration WAKE_BOUND = Duration.ofMillis(500);
    private static final long VERSION_SECONDS = 10;

    private final StoreTraits traits;
    private final ScheduledExecutorService answers = thread("signet-etcd");
    private final ScheduledExecutorService watches = thread("signet-etcd-watches");
    private final Members members;
    private final Readings readings;
    private final Remaining remaining;
    private final Sessions sessions;
    private final Roles roles;
    private final Feed feed;
    private final AtomicBoolean asked = new AtomicBoolean();

    private EtcdStore(EtcdStoreOptions options, Namespace namespace) {
        Keys keys = new Keys(options.prefix(), namespace);
        traits = new StoreTraits(options.name(), StoreTraits.Kind.QUORUM, Optional.empty(), true, true, WAKE_BOUND);
        members = Channels.to(options, answers);
        readings = new Readings(members, keys, options.name());
        remaining = new Remaining(members);
        sessions = new Sessions(members, keys, readings);
        roles = new Roles(members, keys, readings);
        feed = new Feed(members, keys, readings, watches);
    }

    /**
     * Makes the store if it is not there. Idempotent. Blocks.
     *
     * @return its id
     * @throws StoreException if that is not possible, with why and what to do; {@code UNREACHABLE} if it may be later
     */
    public static StoreId init(EtcdStoreOptions options) {
        return layOut(options).storeId();
    }

    /** The same, and tells whether it was made. */
    public static LaidOut layOut(EtcdStoreOptions options) {
        return ask(options, Founding::layOut);
    }

    /**
     * The id of the store that is there; makes and changes nothing. Blocks.
     *
     * @throws StoreException if there is none that can be used as it is, with why and what to do; {@code UNREACHABLE} if that
     *     may be otherwise later
     */
    public static StoreId id(EtcdStoreOptions options) {
        return ask(options, Founding::find).id();
    }

    private static <T> T ask(EtcdStoreOptions options, BiFunction<Founding, Deadline, CompletableFuture<T>> question) {
        Members members = Channels.to(options, thread("signet-etcd"));
        try {
            Founding founding = new Founding(members, new Keys(options.prefix(), Namespace.DEFAULT), options.name());
            return founding.await(deadline -> question.apply(founding, deadline));
        } finally {
            members.close();
        }
    }

    /**
     * Uses a store that {@link #init} made. Returns at once; connecting goes on behind the scenes. That etcd is away is
     * <em>unknown</em>; that it has no store for us is the refusal of {@link #open(OpenSession, Duration)} and {@link #read}.
     */
    public static EtcdStore open(EtcdStoreOptions options, Namespace namespace) {
        return new EtcdStore(options, namespace);
    }

    /** Ends by itself when it has had nothing to do for a while: gRPC goes on to need it after its channels were closed. */
    private static ScheduledExecutorService thread(String name) {
        ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, name);
            daemon.setDaemon(true);
            return daemon;
        });
        thread.setKeepAliveTime(1, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public CompletionStage<Answer<Opened, StoreRefusal>> open(OpenSession request, Duration timeout) {
        if (asked.compareAndSet(false, true)) {
            members.findOld(Deadline.after(VERSION_SECONDS, TimeUnit.SECONDS), EtcdStore::warn);
        }
        return answer(deadline -> sessions.open(request, deadline), Answer::refused, timeout);
    }

    private static void warn(String old) {
        LOG.warn(
                "{} may end a lease that it said was renewed, so that a leader is succeeded before it stops; use 3.5.13,"
                        + " 3.4.31 or newer",
                old);
    }

    @Override
    public CompletionStage<Answer<Renewed, SessionGone>> renew(SessionId session, Duration timeout) {
        return answer(deadline -> sessions.renew(session, deadline), timeout);
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> close(SessionId session, Duration timeout) {
        return answer(deadline -> sessions.close(session, deadline), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> enlist(SessionId session, Role role, Duration timeout) {
        return answer(deadline -> sessions.enlist(session, role, deadline), timeout);
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> withdraw(SessionId session, Role role, Duration timeout) {
        return answer(deadline -> sessions.withdraw(session, role, deadline), timeout);
    }

    @Override
    public CompletionStage<Answer<Grant, NotGranted>> acquire(Acquire request, Duration timeout) {
        return answer(deadline -> roles.acquire(request, deadline), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> release(Release request, Duration timeout) {
        return answer(deadline -> roles.release(request, deadline), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, NotReserved>> reserve(Reserve request, Duration timeout) {
        return answer(deadline -> roles.reserve(request, deadline), timeout);
    }

    @Override
    public CompletionStage<Answer<List<Grant>, SessionGone>> held(SessionId session, Duration timeout) {
        return answer(deadline -> sessions.held(session, deadline), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, StoreRefusal>> read(Role role, Duration timeout) {
        return answer(
                deadline -> readings.of(role, deadline)
                        .thenCompose(found -> remaining.of(List.of(found.timed()), deadline))
                        .thenApply(views -> Answer.done(views.get(0))),
                Answer::refused,
                timeout);
    }

    @Override
    public CompletionStage<Answer<List<RoleView>, StoreRefusal>> roles(Duration timeout) {
        return answer(
                deadline -> readings.census(deadline)
                        .thenCompose(census -> remaining.of(census.timed(), deadline))
                        .thenApply(Answer::done),
                Answer::refused,
                timeout);
    }

    @Override
    public CompletionStage<Answer<List<CandidateId>, StoreRefusal>> candidates(Role role, Duration timeout) {
        return answer(
                deadline -> readings.candidates(role, deadline).thenApply(Answer::done), Answer::refused, timeout);
    }

    private static <D, R> CompletionStage<Answer<D, R>> answer(
            Function<Deadline, CompletableFuture<Answer<D, R>>> request, Duration timeout) {
        return answer(request, why -> Answer.unknown(why.message()), timeout);
    }

    private static <D, R> CompletionStage<Answer<D, R>> answer(
            Function<Deadline, CompletableFuture<Answer<D, R>>> request,
            Function<StoreRefusal, Answer<D, R>> whenUnusable,
            Duration timeout) {
        return request.apply(Deadline.after(timeout.toNanos(), TimeUnit.NANOSECONDS))
                .exceptionally(fault -> Faults.refusal(fault)
                        .map(whenUnusable)
                        .orElseGet(() -> Answer.unknown("etcd: " + Faults.message(fault))))
                .completeOnTimeout(
                        Answer.unknown("etcd did not answer within " + timeout.toMillis() + " ms"),
                        timeout.toNanos(),
                        TimeUnit.NANOSECONDS)
                .minimalCompletionStage();
    }

    @Override
    public Watch watch(Role role, WatchObserver observer) {
        return feed.watch(role, observer);
    }

    @Override
    public void close() {
        feed.close();
        members.close();
    }
}
