package dev.signet.runtime;

import dev.signet.Candidate;
import dev.signet.CandidateId;
import dev.signet.LeadershipListener;
import dev.signet.LeadingWork;
import dev.signet.Protection;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.election.role.RoleEvent;
import dev.signet.election.role.RolePlan;
import dev.signet.election.session.SessionEvent;
import dev.signet.fence.Fence;
import dev.signet.fence.SealPolicy;
import dev.signet.observe.Counters;
import dev.signet.observe.Event;
import dev.signet.observe.Observer;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import dev.signet.time.EventLoop;
import dev.signet.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A candidate that runs: it owns the threads and puts the parts together. */
final class RunningCandidate implements Candidate, CandidateContext {

    private static final Logger LOG = LoggerFactory.getLogger("dev.signet");

    private final CandidateOptions options;
    private final Store store;
    private final EventLoop loop;
    private final boolean ownsLoop;
    private final ExecutorService threads;
    private final Executor listeners;
    private final Executor signals;
    private final Asking asking;
    private final EventSink events;
    private final PauseMeter pauses = new PauseMeter();
    private final RoleRequests requests;
    private final Roles roles;
    private final SessionRunner session;
    private final Guarding guarding;
    private final Probing probing;
    private final AtomicBoolean closed = new AtomicBoolean();

    RunningCandidate(CandidateOptions options, Store store) {
        this.options = options;
        this.store = store;
        String name = "signet-" + options.id().name();
        this.loop = options.loop().orElseGet(() -> new SystemLoop(name));
        this.ownsLoop = options.loop().isEmpty();
        this.threads = Executors.newCachedThreadPool(Threads.daemons(name + "-work"));
        this.listeners = options.listeners().orElse(threads);
        // Under a test's own loop and executor a signal comes when the test says; else on a thread of ours.
        this.signals = new Signals(ownsLoop ? threads : listeners, Runnable::run);
        this.asking = new Asking(loop, options.timing().attemptTimeout());
        List<Observer> observers = new ArrayList<>(List.of(new EventLog(options.id())));
        observers.addAll(options.observers());
        this.events = new EventSink(name + "-events", observers);
        this.requests = new RoleRequests(asking, this::session);
        this.roles = new Roles(this);
        this.session = new SessionRunner(options, loop, store, asking, events, roles, pauses);
        this.guarding = new Guarding(options.id(), options.advertised(), options.timing());
        this.probing = new Probing(options, loop, listeners, roles);
    }

    void begin() {
        store.traits()
                .warning()
                .ifPresent(warning -> LOG.warn("store {}: {}", store.traits().name(), warning));
        loop.execute(() -> session.tell(new SessionEvent.Open()));
        probing.begin();
    }

    @Override
    public CandidateId id() {
        return options.id();
    }

    @Override
    public ElectionHandle campaign(Role role, Protection protection, LeadershipListener listener) {
        if (closed.get()) {
            throw new IllegalStateException("candidate " + id() + " is closed");
        }
        Map<ResourceName, SealPolicy> resources = new LinkedHashMap<>();
        Map<ResourceName, Fence> fences = new LinkedHashMap<>();
        protection.fences().forEach((fence, policy) -> {
            resources.put(fence.resource(), policy);
            fences.put(fence.resource(), fence);
        });
        RolePlan plan = new RolePlan(id(), role, resources, options.timing(), options.drain(), options.grace());
        RoleRunner runner = new RoleRunner(this, plan, fences, listener, new Lane(listeners));
        ElectionHandle election = new ElectionHandle(this, runner, guarding, closeBound());
        roles.add(election);
        if (closed.get()) {
            var unusedEnd = election.beginClose();
            throw new IllegalStateException("candidate " + id() + " is closed");
        }
        protection.unfencedReason().ifPresent(reason -> events.emit(new Event.Unfenced(role, reason)));
        loop.execute(() -> {
            roles.introduce(runner);
            runner.tell(new RoleEvent.Campaign());
        });
        return election;
    }

    @Override
    public <T extends @Nullable Object> T runWhileLeading(Role role, Protection protection, LeadingWork<T> work)
            throws Exception {
        return new BlockingCampaign<>(work).run(listener -> campaign(role, protection, listener));
    }

    @Override
    public Duration longestPause() {
        return pauses.longest();
    }

    @Override
    public Counters counters() {
        return events.counters();
    }

    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        probing.close();
        CompletableFuture<?>[] ends =
                roles.elections().stream().map(ElectionHandle::beginClose).toArray(CompletableFuture<?>[]::new);
        CompletableFuture<Void> released = CompletableFuture.allOf(ends);
        // what is not released by then ends with the lease: closing would free it under work that still runs
        loop.schedule(session::abandon, closeBound());
        var unusedClosing = released.thenRun(() -> loop.execute(() -> session.tell(new SessionEvent.Close())));
        var unusedStop = session.finished().thenRun(this::stop);
        if (isInListener()) {
            return;
        }
        Waits.upTo(closeBound().plus(asking.timeout().multipliedBy(2)), session.finished());
        if (!Thread.currentThread().isInterrupted()) {
            stop();
        }
    }

    private Optional<SessionId> session(long epoch) {
        return session.session(epoch);
    }

    private boolean isInListener() {
        return roles.elections().stream()
                .anyMatch(election -> election.runner().lane().isCurrentThread());
    }

    /** Idempotent. */
    private void stop() {
        if (ownsLoop) {
            loop.close();
        }
        events.close();
        threads.shutdown();
    }

    private Duration closeBound() {
        return options.drain().plus(options.grace()).plus(options.timing().renewDeadline());
    }

    // What the roles share

    @Override
    public void roleChanged() {
        roles.changed();
    }

    @Override
    public TimeSource time() {
        return options.time();
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public RoleRequests requests() {
        return requests;
    }

    @Override
    public Asking asking() {
        return asking;
    }

    @Override
    public EventSink events() {
        return events;
    }

    @Override
    public Executor signals() {
        return signals;
    }

    @Override
    public Validity validity() {
        return session.validity();
    }
}
