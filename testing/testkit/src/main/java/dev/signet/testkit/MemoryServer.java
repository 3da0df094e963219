package dev.signet.testkit;

import dev.signet.Answer;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.store.RoleView;
import dev.signet.time.EventLoop;
import dev.signet.time.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory: the {@linkplain StoreModel reference store} with a clock, and with the faults that may befall a store
 * itself. Candidates reach it by {@link #connect}; what may befall their requests on the way is {@linkplain
 * MemoryStore#inject injected there}.
 *
 * <pre>{@code
 * ManualTime time = new ManualTime();
 * MemoryServer server = new MemoryServer(time);
 * MemoryStore ada = server.connect();
 * }</pre>
 *
 * <p>Thread-safe. A request takes effect on the thread that makes it, and its answer is there when the call returns,
 * unless a fault or an executor says otherwise. Expiry, time-outs and delays run on the event loop.
 */
public final class MemoryServer {

    /** What a paused server keeps for later, as a kernel's buffers do; more is lost. */
    private static final int MOST_WAITING = 10_000;

    private final Object monitor = new Object();
    private final TimeSource time;
    private final EventLoop loop;
    private final Function<StoreId, StoreModel> rules;
    private final Map<Namespace, StoreModel> models = new LinkedHashMap<>();
    private final List<MemoryStore> clients = new ArrayList<>();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private StoreId storeId = StoreId.random();
    private boolean paused;
    private EventLoop.@Nullable Scheduled nextSweep;
    private long nextSweepNanos;

    /** On a time that a test moves. */
    public MemoryServer(ManualTime time) {
        this(time, time.host());
    }

    /** @param loop with the pace of {@code time}; the caller closes it */
    public MemoryServer(TimeSource time, EventLoop loop) {
        this(time, loop, StoreModel::new);
    }

    /** @param rules the store to serve; a test's may break a rule */
    MemoryServer(TimeSource time, EventLoop loop, Function<StoreId, StoreModel> rules) {
        this.time = time;
        this.loop = loop;
        this.rules = rules;
    }

    /** What it calls itself now; another after {@link #wipe}. */
    public StoreId storeId() {
        synchronized (monitor) {
            return storeId;
        }
    }

    public MemoryStore connect() {
        return connect(Namespace.DEFAULT);
    }

    public MemoryStore connect(Namespace namespace) {
        return connect(namespace, Runnable::run);
    }

    /** @param executor on which answers are given and watchers told */
    public MemoryStore connect(Namespace namespace, Executor executor) {
        MemoryStore client = new MemoryStore(this, namespace, executor);
        synchronized (monitor) {
            clients.add(client);
        }
        return client;
    }

    // What may befall it

    /** Stops answering, as under SIGSTOP: requests wait, and neither leases nor reservations end. Idempotent. */
    public void pause() {
        synchronized (monitor) {
            paused = true;
        }
    }

    /** Goes on: first with the requests that waited, so that those who renewed in time live on. Idempotent. */
    public void resume() {
        List<Runnable> late;
        synchronized (monitor) {
            paused = false;
            late = List.copyOf(waiting);
            waiting.clear();
        }
        late.forEach(Runnable::run);
        sweep();
    }

    /** Ends and starts again on the same records: what waited is lost, watches break, leases go on. */
    public void restart() {
        befall("the store was restarted", () -> {
            waiting.clear();
            paused = false;
        });
    }

    /** Another process of the store takes over: watches break, and each session lasts a full lease from now. */
    public void failOver() {
        befall(
                "another process of the store took over",
                () -> models.values().forEach(model -> model.leaseAnew(time.monoNanos())));
    }

    public Backup backUp() {
        synchronized (monitor) {
            Map<Namespace, StoreModel.Snapshot> snapshots = new LinkedHashMap<>();
            models.forEach((namespace, model) -> snapshots.put(namespace, model.snapshot()));
            return new Backup(storeId, snapshots);
        }
    }

    /** It is again what it was then, and has forgotten what it granted since. */
    public void restore(Backup backup) {
        befall("the store was restored from a backup", () -> {
            storeId = backup.storeId;
            models.forEach((namespace, model) -> {
                StoreModel.Snapshot snapshot = backup.snapshots.get(namespace);
                if (snapshot == null) {
                    model.wipe(storeId);
                } else {
                    model.restore(snapshot);
                }
            });
        });
    }

    /** Everything is lost; what is there now is another store. */
    public void wipe() {
        befall("the store was wiped", () -> {
            storeId = StoreId.random();
            models.values().forEach(model -> model.wipe(storeId));
        });
    }

    /** Somebody deletes the record of a role by hand, with its token. */
    public void forget(Namespace namespace, Role role) {
        befall("a record was deleted", () -> model(namespace).forget(role));
    }

    private void befall(String cause, Runnable change) {
        List<MemoryStore> all;
        synchronized (monitor) {
            change.run();
            models.values().forEach(StoreModel::takeChanged);
            armSweep();
            all = List.copyOf(clients);
        }
        all.forEach(client -> client.breakWatches(cause));
    }

    // What clients ask of it

    /** A request, whole: it is taken in one step. */
    interface Request<D, R> {
        Answer<D, R> take(StoreModel model, long nowNanos);
    }

    <D, R> void take(Namespace namespace, Request<D, R> request, Consumer<Answer<D, R>> then) {
        Answer<D, R> answer;
        synchronized (monitor) {
            if (waits(() -> take(namespace, request, then))) {
                return;
            }
            answer = request.take(model(namespace), time.monoNanos());
            offerChanges();
        }
        tellWatchers();
        then.accept(answer);
    }

    /** Begins a watch with the present record, so that no change falls between the two. */
    void begin(MemoryStore client, MemoryWatch watch) {
        synchronized (monitor) {
            if (waits(() -> begin(client, watch))) {
                return;
            }
            client.add(watch);
            watch.offer(view(client.namespace(), watch.role()));
        }
        tellWatchers();
    }

    void forget(MemoryStore client) {
        synchronized (monitor) {
            clients.remove(client);
        }
    }

    EventLoop loop() {
        return loop;
    }

    private boolean waits(Runnable request) {
        if (paused && waiting.size() < MOST_WAITING) {
            waiting.add(request);
        }
        return paused;
    }

    private StoreModel model(Namespace namespace) {
        return models.computeIfAbsent(namespace, unseen -> rules.apply(storeId));
    }

    private RoleView view(Namespace namespace, Role role) {
        return model(namespace)
                .read(role, time.monoNanos())
                .fold(
                        view -> view,
                        refusal -> {
                            throw new IllegalStateException(refusal.message());
                        },
                        unknown -> {
                            throw new IllegalStateException(unknown.cause());
                        });
    }

    private void offerChanges() {
        models.forEach((namespace, model) -> model.takeChanged().forEach(role -> {
            RoleView view = view(namespace, role);
            clients.stream()
                    .filter(client -> client.namespace().equals(namespace))
                    .forEach(client -> client.offer(view));
        }));
        armSweep();
    }

    private void tellWatchers() {
        List<MemoryStore> all;
        synchronized (monitor) {
            all = List.copyOf(clients);
        }
        all.forEach(MemoryStore::tellWatchers);
    }

    private void sweep() {
        synchronized (monitor) {
            nextSweep = null;
            if (!paused) {
                models.values().forEach(model -> model.sweep(time.monoNanos()));
                offerChanges();
            }
        }
        tellWatchers();
    }

    private void armSweep() {
        OptionalLong due = models.values().stream()
                .map(StoreModel::nextDueNanos)
                .flatMapToLong(OptionalLong::stream)
                .reduce((left, right) -> right - left < 0 ? right : left);
        if (due.isEmpty() || (nextSweep != null && due.getAsLong() - nextSweepNanos >= 0)) {
            return;
        }
        if (nextSweep != null) {
            nextSweep.cancel();
        }
        nextSweepNanos = due.getAsLong();
        nextSweep = loop.schedule(this::sweep, Duration.ofNanos(Math.max(0, nextSweepNanos - time.monoNanos())));
    }

    /** All that a store knew, at one moment. Opaque; immutable. */
    public static final class Backup {

        private final StoreId storeId;
        private final Map<Namespace, StoreModel.Snapshot> snapshots;

        private Backup(StoreId storeId, Map<Namespace, StoreModel.Snapshot> snapshots) {
            this.storeId = storeId;
            this.snapshots = Map.copyOf(snapshots);
        }
    }
}
