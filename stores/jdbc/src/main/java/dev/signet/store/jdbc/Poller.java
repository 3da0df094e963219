package dev.signet.store.jdbc;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreException;
import dev.signet.store.Watch;
import dev.signet.store.WatchObserver;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that serves all watches of a store, whatever their number: in each look it asks whether there may be news, and
 * only then reads, in one snapshot, the sessions (one per process) and those roles that may have changed since the last look.
 * It looks at every interval, and earlier where the database calls, where a lease or a reservation ends, or where this process
 * itself has written.
 */
final class Poller implements AutoCloseable {

    private static final long CLOSE_MILLIS = 2_000;
    private static final int LOOKS_PER_LOOK_AT_ALL = 16;
    private static final long SHORTEST_WAIT_NANOS = 1_000_000;
    private static final long LOOK_NANOS = 5_000_000_000L;
    private static final long SWEEP_NANOS = 60_000_000_000L;
    private static final long NOT_READ = -1;
    private static final Logger LOG = LoggerFactory.getLogger(Poller.class);

    private final Database database;
    private final RoleTable roles;
    private final SessionTable sessions;
    private final Leases leases;
    private final long intervalNanos;
    private final Thread thread;
    private final Queue<Subscription> coming = new ConcurrentLinkedQueue<>();
    private final Map<Role, Watched> watched = new HashMap<>();
    private Map<Long, Lease> live = Map.of();
    private volatile Database.@Nullable Opened open;
    private final Leftovers leftovers = new Leftovers();
    private final Consumer<List<Long>> sweep;
    private Leases.@Nullable Moment nextEnd;
    private long lastSweepNanos = System.nanoTime();
    private long lastVersion = NOT_READ;
    private long lastLookAtAllNanos = System.nanoTime();
    private long lastLookNanos;
    private final AtomicBoolean poked = new AtomicBoolean();
    private volatile boolean closed;
    private boolean started;

    /** @param sweep told now and then which sessions ended long ago */
    Poller(
            Database database,
            Namespace namespace,
            Leases leases,
            Duration interval,
            String name,
            Consumer<List<Long>> sweep) {
        this.database = database;
        this.roles = new RoleTable(namespace);
        this.sessions = new SessionTable(namespace);
        this.leases = leases;
        this.sweep = sweep;
        this.intervalNanos = interval.toNanos();
        this.thread = new Thread(this::work, name);
        thread.setDaemon(true);
    }

    Watch watch(Role role, WatchObserver observer) {
        Subscription subscription = new Subscription(role, observer);
        coming.add(subscription);
        start();
        poke();
        return subscription;
    }

    private synchronized void start() {
        if (!started && !closed) {
            started = true;
            thread.start();
        }
    }

    /** Something was written by this process: look at once. */
    void poke() {
        poked.set(true);
        LockSupport.unpark(thread);
    }

    private void work() {
        while (!closed) {
            try {
                await(look());
            } catch (SQLException e) {
                boolean busy = database.isBusy(e);
                if (!busy) {
                    breakAll("the store failed: " + Faults.text(e));
                }
                disconnect();
                LockSupport.parkNanos(this, intervalNanos);
            } catch (StoreException e) {
                breakAll(Faults.text(e));
                disconnect();
                LockSupport.parkNanos(this, intervalNanos);
            } catch (RuntimeException | Error e) {
                LOG.warn("watching {} failed in an unforeseen way", database, e);
                breakAll("the store failed: " + e);
                disconnect();
                LockSupport.parkNanos(this, intervalNanos);
            }
        }
        disconnect();
    }

    private void await(long nanos) throws SQLException {
        rest();
        Database.Opened known = open;
        if (known == null || watched.isEmpty()) {
            // the permit of a call that came since the look began may be used up
            if (!poked.get()) {
                LockSupport.parkNanos(this, nanos);
            }
        } else {
            known.link().awaitNews(nanos, poked::get);
        }
    }

    /** Where a look is much work, it is not done all the time: what is written meanwhile is seen by the next. */
    private void rest() {
        long until = System.nanoTime() + lastLookNanos;
        for (long left = lastLookNanos; left > 0 && !closed; left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** @return how long until something may change by the passing of time */
    private long look() throws SQLException {
        long begun = System.nanoTime();
        try {
            return lookNow();
        } finally {
            lastLookNanos = System.nanoTime() - begun;
        }
    }

    private long lookNow() throws SQLException {
        poked.set(false);
        boolean news = admit();
        if (watched.isEmpty()) {
            return Long.MAX_VALUE;
        }
        Link link = connected().link();
        link.limit(LOOK_NANOS);
        if (link.mayHaveNews() || news) {
            refresh(link);
            news = true;
        }
        Leases.Moment now = leases.now(link.clock());
        Leases.Moment end = nextEnd;
        if (news || end == null || !now.isBefore(end)) {
            end = tell(now);
        }
        if (System.nanoTime() - lastSweepNanos > SWEEP_NANOS) {
            lastSweepNanos = System.nanoTime();
            sweep.accept(leftovers.among(live, now));
        }
        return Math.min(intervalNanos, Math.max(SHORTEST_WAIT_NANOS, now.nanosUntil(end)));
    }

    private Leases.Moment tell(Leases.Moment now) {
        long soonest = Long.MAX_VALUE / 4;
        for (Watched role : watched.values()) {
            soonest = Math.min(soonest, role.tell(live, now));
        }
        watched.values().removeIf(Watched::isDeserted);
        Leases.Moment end = now.plusNanos(soonest);
        nextEnd = end;
        return end;
    }

    private boolean admit() {
        boolean some = false;
        for (Subscription next = coming.poll(); next != null; next = coming.poll()) {
            watched.computeIfAbsent(next.role(), Watched::new).add(next);
            some = true;
        }
        return some;
    }

    private Database.Opened connected() throws SQLException {
        Database.Opened known = open;
        if (known != null && !database.isStill(known)) {
            breakAll(database + " was removed or replaced while in use");
            disconnect();
            known = null;
        }
        if (known == null) {
            known = database.connect(Database.Use.WATCHES);
            open = known;
            lastVersion = NOT_READ;
            watched.values().forEach(role -> role.read(null));
        }
        return known;
    }

    private void refresh(Link link) throws SQLException {
        link.beginReading();
        try {
            Map<Long, Lease> sessionsNow = sessions.leases(link);
            Map<Role, Long> lately = new HashMap<>();
            long version = link.version();
            if (lastVersion != NOT_READ) {
                long since = Math.min(version, lastVersion) - link.latecomers();
                lately.putAll(roles.above(link, isTimeToSeeAll(link) ? 0 : since));
            }
            List<Role> changed = watched.values().stream()
                    .filter(role -> !role.isAt(lately.get(role.role())))
                    .map(Watched::role)
                    .toList();
            List<RoleRow> rows = roles.find(link, changed);
            live = sessionsNow;
            lastVersion = version;
            rows.forEach(row -> Objects.requireNonNull(watched.get(row.role())).read(row));
        } finally {
            link.rollback();
        }
    }

    /**
     * A commit can be later than it should: when a standby that has to confirm it was away, or the server stood still. Its
     * versions are older than what is asked for then, so now and then everything is.
     */
    private boolean isTimeToSeeAll(Link link) {
        if (link.latecomers() == 0 || System.nanoTime() - lastLookAtAllNanos < LOOKS_PER_LOOK_AT_ALL * intervalNanos) {
            return false;
        }
        lastLookAtAllNanos = System.nanoTime();
        return true;
    }

    private void breakAll(String cause) {
        admit();
        List<Watched> broken = List.copyOf(watched.values());
        watched.clear();
        broken.forEach(role -> role.breakOff(cause));
    }

    private void disconnect() {
        Database.Opened known = open;
        open = null;
        if (known != null) {
            try {
                known.link().close();
            } catch (SQLException e) {
                LOG.debug("a connection to {} did not close", database, e);
            }
        }
    }

    /** Ends all watches silently, and the thread; waits for it up to two seconds. Idempotent. */
    @Override
    public void close() {
        boolean running;
        synchronized (this) {
            closed = true;
            running = started;
        }
        poke();
        if (running && Thread.currentThread() != thread) {
            try {
                thread.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Database.Opened stuck = open;
            if (stuck != null) {
                stuck.link().abort();
            }
        }
    }
}
