package dev.signet.store.jdbc;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreException;
import dev.signet.store.RoleView;
import dev.signet.store.Watch;
import dev.signet.store.WatchObserver;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that serves all watches of a store. SQLite cannot call, so it asks: {@code PRAGMA data_version} takes 5 µs and
 * says whether another connection has committed since. Only then does it read, in one snapshot, the sessions (one per
 * process) and those roles whose version is above the last it saw. It wakes earlier where a lease or a reservation ends
 * before the next poll, or where this process itself has written.
 */
final class Poller implements AutoCloseable {

    private static final long CLOSE_MILLIS = 2_000;
    private static final long SHORTEST_WAIT_NANOS = 1_000_000;
    private static final long SWEEP_NANOS = 60_000_000_000L;
    private static final long NOT_READ = -1;
    private static final Logger LOG = LoggerFactory.getLogger(Poller.class);

    private final StoreFile file;
    private final RoleTable roles;
    private final SessionTable sessions;
    private final Leases leases;
    private final long intervalNanos;
    private final Thread thread;
    private final Queue<Subscription> coming = new ConcurrentLinkedQueue<>();
    private final Map<Role, Watched> watched = new HashMap<>();
    private Map<Long, Lease> live = Map.of();
    private StoreFile.@Nullable OpenLink open;
    private final Leftovers leftovers = new Leftovers();
    private final Consumer<List<Long>> forget;
    private Leases.Moment nextEnd;
    private Leases.Moment lastSweep;
    private long dataVersion = NOT_READ;
    private long lastVersion = NOT_READ;
    private volatile boolean closed;
    private boolean started;

    Poller(StoreFile file, Namespace namespace, Leases leases, Duration interval, Consumer<List<Long>> forget) {
        this.file = file;
        this.roles = new RoleTable(namespace);
        this.sessions = new SessionTable(namespace);
        this.leases = leases;
        this.nextEnd = leases.now();
        this.lastSweep = nextEnd;
        this.forget = forget;
        this.intervalNanos = interval.toNanos();
        this.thread = new Thread(this::work, "signet-local-watches");
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
        LockSupport.unpark(thread);
    }

    private void work() {
        while (!closed) {
            long wait = intervalNanos;
            try {
                wait = look();
            } catch (SQLException e) {
                if (!Link.isBusy(e)) {
                    breakAll("the store failed: " + Faults.text(e));
                }
                disconnect();
            } catch (StoreException e) {
                breakAll(Faults.text(e));
                disconnect();
            } catch (RuntimeException | Error e) {
                LOG.warn("watching {} failed in an unforeseen way", file, e);
                breakAll("the store failed: " + e);
                disconnect();
            }
            LockSupport.parkNanos(this, wait);
        }
        disconnect();
    }

    /** @return how long until something may change by the passing of time */
    private long look() throws SQLException {
        boolean news = admit();
        if (watched.isEmpty()) {
            return Long.MAX_VALUE;
        }
        StoreFile.OpenLink known = connected();
        long version = known.link().number("PRAGMA data_version");
        if (news || version != dataVersion) {
            refresh(known.link());
            dataVersion = version;
            news = true;
        }
        Leases.Moment now = leases.now();
        if (news || !now.isBefore(nextEnd)) {
            tell(now);
        }
        if (now.nanosSince(lastSweep) > SWEEP_NANOS) {
            lastSweep = now;
            List<Long> leftOver = leftovers.among(live, now);
            if (!leftOver.isEmpty()) {
                forget.accept(leftOver);
            }
        }
        return Math.min(intervalNanos, Math.max(SHORTEST_WAIT_NANOS, now.nanosUntil(nextEnd)));
    }

    private void tell(Leases.Moment now) {
        long soonest = Long.MAX_VALUE / 4;
        for (Watched role : watched.values()) {
            soonest = Math.min(soonest, role.tell(now));
        }
        nextEnd = now.plusNanos(soonest);
        watched.values().removeIf(role -> role.subscriptions.isEmpty());
    }

    private boolean admit() {
        boolean some = false;
        for (Subscription next = coming.poll(); next != null; next = coming.poll()) {
            watched.computeIfAbsent(next.role, Watched::new).subscriptions.add(next);
            some = true;
        }
        return some;
    }

    private StoreFile.OpenLink connected() throws SQLException {
        StoreFile.OpenLink known = open;
        if (known != null && !file.isStill(known)) {
            breakAll(file + " was removed or replaced while in use");
            disconnect();
            known = null;
        }
        if (known == null) {
            known = file.connect();
            open = known;
            dataVersion = NOT_READ;
            lastVersion = NOT_READ;
            watched.values().forEach(role -> role.row = null);
        }
        return known;
    }

    private void refresh(Link link) throws SQLException {
        link.beginReading();
        try {
            Map<Long, Lease> sessionsNow = sessions.leases(link);
            List<RoleRow> changed = new ArrayList<>();
            long highest = roles.highestVersion(link);
            if (lastVersion != NOT_READ) {
                changed.addAll(roles.above(link, lastVersion));
            }
            for (Watched role : watched.values()) {
                if (role.row == null) {
                    changed.add(roles.find(link, role.role));
                }
            }
            live = sessionsNow;
            lastVersion = highest;
            for (RoleRow row : changed) {
                Watched role = watched.get(row.role());
                if (role != null) {
                    role.row = row;
                }
            }
        } finally {
            link.rollback();
        }
    }

    private void breakAll(String cause) {
        admit();
        List<Watched> broken = List.copyOf(watched.values());
        watched.clear();
        for (Watched role : broken) {
            for (Subscription subscription : role.subscriptions) {
                subscription.breakOff(cause);
            }
        }
    }

    private void disconnect() {
        StoreFile.OpenLink known = open;
        open = null;
        if (known != null) {
            try {
                known.link().close();
            } catch (SQLException e) {
                LOG.debug("a connection to {} did not close", file, e);
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
        }
    }

    /** A role and whoever watches it. */
    private final class Watched {

        private final Role role;
        private final List<Subscription> subscriptions = new ArrayList<>();

        /** As it was read last; null before the first time. The sessions in it may have moved on since: see live. */
        private @Nullable RoleRow row;

        Watched(Role role) {
            this.role = role;
        }

        /** @return the nanoseconds until its view may change by the passing of time */
        long tell(Leases.Moment now) {
            RoleRow known = row;
            if (known == null) {
                return 0;
            }
            RoleRow current = known.withSessions(live);
            subscriptions.removeIf(subscription -> subscription.ended);
            boolean claimable = current.isClaimable(now);
            boolean kept = current.keptNow(now).isPresent();
            for (Subscription subscription : subscriptions) {
                if (subscription.isNews(current.version(), claimable, kept)) {
                    subscription.tell(current.view(now));
                }
            }
            return current.nanosUntilItsViewChanges(now);
        }
    }

    /** One watch. */
    private static final class Subscription implements Watch {

        private final Role role;
        private final WatchObserver observer;
        private @Nullable RoleView told;
        private volatile boolean ended;

        Subscription(Role role, WatchObserver observer) {
            this.role = role;
            this.observer = observer;
        }

        boolean isNews(long version, boolean claimable, boolean kept) {
            RoleView last = told;
            return last == null
                    || version > last.version()
                    || (version == last.version()
                            && (claimable != last.claimable()
                                    || kept != last.reservation().isPresent()));
        }

        void tell(RoleView view) {
            told = view;
            try {
                if (!ended) {
                    observer.observed(view);
                }
            } catch (RuntimeException e) {
                LOG.warn("a watcher failed; role={}", role, e);
            }
        }

        void breakOff(String cause) {
            if (!ended) {
                ended = true;
                try {
                    observer.broken(cause);
                } catch (RuntimeException e) {
                    LOG.warn("a watcher failed; role={}", role, e);
                }
            }
        }

        @Override
        public void close() {
            ended = true;
        }
    }
}
