package dev.signet.testkit;

import dev.signet.store.RoleView;
import dev.signet.store.WatchObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What a watcher was told, in order. */
final class SeenViews implements WatchObserver {

    private final BlockingQueue<RoleView> coming = new LinkedBlockingQueue<>();
    private final List<RoleView> history = new ArrayList<>();
    private final Duration bound;
    private final Consumer<SeenViews> whenBroken;

    SeenViews(Duration bound) {
        this(bound, views -> {});
    }

    /** @param bound within which the next view has to come where one is due */
    SeenViews(Duration bound, Consumer<SeenViews> whenBroken) {
        this.bound = bound;
        this.whenBroken = whenBroken;
    }

    @Override
    public void observed(RoleView view) {
        coming.add(view);
    }

    @Override
    public void broken(String cause) {
        whenBroken.accept(this);
    }

    boolean hasMore() {
        return !coming.isEmpty();
    }

    RoleView next() {
        try {
            RoleView view = coming.poll(bound.toNanos(), TimeUnit.NANOSECONDS);
            if (view == null) {
                throw new AssertionError("nothing within " + bound + " after " + history);
            }
            history.add(view);
            return view;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    RoleView until(Predicate<RoleView> condition) {
        RoleView view = next();
        while (!condition.test(view)) {
            view = next();
        }
        return view;
    }

    List<RoleView> history() {
        return List.copyOf(history);
    }
}
