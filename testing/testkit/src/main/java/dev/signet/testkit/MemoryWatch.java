package dev.signet.testkit;

import dev.signet.Role;
import dev.signet.store.RoleView;
import dev.signet.store.Watch;
import dev.signet.store.WatchObserver;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A watch of a memory store: what it was offered it tells in that order, one call at a time. Thread-safe. */
final class MemoryWatch implements Watch {

    /** Untold views beyond which the watch breaks. */
    private static final int MOST_UNTOLD = 10_000;

    private final Role role;
    private final WatchObserver observer;
    private final Executor executor;
    private final Queue<Consumer<WatchObserver>> untold = new ArrayDeque<>();
    private boolean telling;
    private boolean ended;

    MemoryWatch(Role role, WatchObserver observer, Executor executor) {
        this.role = role;
        this.observer = observer;
        this.executor = executor;
    }

    Role role() {
        return role;
    }

    synchronized void offer(RoleView view) {
        if (untold.size() == MOST_UNTOLD) {
            breakOff("the watcher fell " + MOST_UNTOLD + " changes behind");
        } else if (!ended) {
            untold.add(watcher -> watcher.observed(view));
        }
    }

    synchronized void breakOff(String cause) {
        if (!ended) {
            ended = true;
            untold.add(watcher -> watcher.broken(cause));
        }
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    /** Without a further call. */
    @Override
    public synchronized void close() {
        ended = true;
        untold.clear();
    }

    void tell() {
        synchronized (this) {
            if (telling || untold.isEmpty()) {
                return;
            }
            telling = true;
        }
        executor.execute(this::tellAll);
    }

    private void tellAll() {
        try {
            for (Consumer<WatchObserver> next = poll(); next != null; next = poll()) {
                next.accept(observer);
            }
        } finally {
            synchronized (this) {
                telling = false;
            }
        }
        tell();
    }

    private synchronized @Nullable Consumer<WatchObserver> poll() {
        return untold.poll();
    }
}
