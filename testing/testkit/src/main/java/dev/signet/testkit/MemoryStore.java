package dev.signet.testkit;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * One candidate's connection to a {@link MemoryServer}, with the faults that a test puts on it. For tests: the records
 * live and die with this process. Thread-safe.
 */
public final class MemoryStore implements Store {

    private static final String CLOSED = "this client of the store is closed";

    private final MemoryServer server;
    private final Namespace namespace;
    private final Executor executor;
    private final Faults faults = new Faults();
    private final List<Exchange<?, ?>> unanswered = new ArrayList<>();
    private final List<MemoryWatch> watches = new ArrayList<>();
    private boolean cutOff;
    private boolean closed;

    MemoryStore(MemoryServer server, Namespace namespace, Executor executor) {
        this.server = server;
        this.namespace = namespace;
        this.executor = executor;
    }

    // Faults

    /** From now on this befalls the requests of this client. Of several that match a request, the first meets it. */
    public Fault.Injected inject(Fault fault) {
        return faults.inject(fault);
    }

    /** Nothing passes either way: requests are lost, watches hear nothing, and break when this is mended. */
    public Fault.Injected cutOff() {
        Fault.Injected lost = inject(Fault.requestLost());
        setCutOff(true);
        return () -> {
            lost.mend();
            setCutOff(false);
            breakWatches("connection reset");
        };
    }

    private synchronized void setCutOff(boolean now) {
        cutOff = now;
    }

    /** All watches of this client end by a fault. */
    public void breakWatches(String cause) {
        List<MemoryWatch> broken;
        synchronized (this) {
            broken = List.copyOf(watches);
            watches.clear();
        }
        broken.forEach(watch -> watch.breakOff(cause));
        broken.forEach(MemoryWatch::tell);
    }

    // Store

    @Override
    public StoreTraits traits() {
        return new StoreTraits(
                "memory:" + namespace,
                StoreTraits.Kind.IN_PROCESS,
                Optional.of("its records live in this process only: it is for tests"),
                false,
                true,
                Duration.ZERO);
    }

    @Override
    public CompletionStage<Answer<Opened, StoreRefusal>> open(OpenSession request, Duration timeout) {
        return send(Call.OPEN, (model, now) -> model.open(request, now), timeout);
    }

    @Override
    public CompletionStage<Answer<Renewed, SessionGone>> renew(SessionId session, Duration timeout) {
        return send(Call.RENEW, (model, now) -> model.renew(session, now), timeout);
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> close(SessionId session, Duration timeout) {
        return send(Call.CLOSE, (model, now) -> model.close(session), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> enlist(SessionId session, Role role, Duration timeout) {
        return send(Call.ENLIST, (model, now) -> model.enlist(session, role, now), timeout);
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> withdraw(SessionId session, Role role, Duration timeout) {
        return send(Call.WITHDRAW, (model, now) -> model.withdraw(session, role), timeout);
    }

    @Override
    public CompletionStage<Answer<Grant, NotGranted>> acquire(Acquire request, Duration timeout) {
        return send(Call.ACQUIRE, (model, now) -> model.acquire(request, now), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> release(Release request, Duration timeout) {
        return send(Call.RELEASE, (model, now) -> model.release(request, now), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, NotReserved>> reserve(Reserve request, Duration timeout) {
        return send(Call.RESERVE, (model, now) -> model.reserve(request, now), timeout);
    }

    @Override
    public CompletionStage<Answer<List<Grant>, SessionGone>> held(SessionId session, Duration timeout) {
        return send(Call.HELD, (model, now) -> model.held(session, now), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, StoreRefusal>> read(Role role, Duration timeout) {
        return send(Call.READ, (model, now) -> model.read(role, now), timeout);
    }

    @Override
    public CompletionStage<Answer<List<RoleView>, StoreRefusal>> roles(Duration timeout) {
        return send(Call.ROLES, StoreModel::roles, timeout);
    }

    @Override
    public CompletionStage<Answer<List<CandidateId>, StoreRefusal>> candidates(Role role, Duration timeout) {
        return send(Call.CANDIDATES, (model, now) -> model.candidates(role, now), timeout);
    }

    @Override
    public Watch watch(Role role, WatchObserver observer) {
        MemoryWatch watch = new MemoryWatch(role, observer, executor);
        server.begin(this, watch);
        return watch;
    }

    /** What is under way is answered unknown. */
    @Override
    public void close() {
        List<Exchange<?, ?>> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(unanswered);
            watches.forEach(MemoryWatch::close);
            watches.clear();
        }
        open.forEach(exchange -> exchange.fail(CLOSED));
        server.forget(this);
    }

    private <D, R> CompletionStage<Answer<D, R>> send(Call call, MemoryServer.Request<D, R> request, Duration timeout) {
        Exchange<D, R> exchange = new Exchange<>(
                then -> server.take(namespace, request, then), timeout, server.loop(), executor, this::end);
        if (begin(exchange)) {
            faults.carry(call, exchange);
        } else {
            exchange.fail(CLOSED);
        }
        return exchange.stage();
    }

    private synchronized boolean begin(Exchange<?, ?> exchange) {
        return !closed && unanswered.add(exchange);
    }

    private synchronized void end(Exchange<?, ?> exchange) {
        unanswered.remove(exchange);
    }

    // What the server tells

    Namespace namespace() {
        return namespace;
    }

    synchronized void add(MemoryWatch watch) {
        if (closed) {
            watch.close();
        } else {
            watches.removeIf(MemoryWatch::hasEnded);
            watches.add(watch);
        }
    }

    synchronized void offer(RoleView view) {
        if (!cutOff) {
            watches.stream().filter(watch -> watch.role().equals(view.role())).forEach(watch -> watch.offer(view));
        }
    }

    void tellWatchers() {
        List<MemoryWatch> all;
        synchronized (this) {
            all = List.copyOf(watches);
        }
        all.forEach(MemoryWatch::tell);
    }
}
