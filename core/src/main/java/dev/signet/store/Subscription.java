package dev.signet.store;

import dev.signet.Role;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One watch of one role, as a store keeps it whose watchers are told by one thread: it tells its observer only what is news, never goes
 * back, and stands an observer that throws. {@link #tell} and {@link #breakOff} are for that thread; the rest is thread-safe.
 */
public final class Subscription implements Watch {

    private final Role role;
    private final WatchObserver observer;
    private final Consumer<RuntimeException> failures;
    private @Nullable RoleView told;
    private volatile boolean ended;

    /** @param failures what the observer threw, which ends nothing */
    public Subscription(Role role, WatchObserver observer, Consumer<RuntimeException> failures) {
        this.role = role;
        this.observer = observer;
        this.failures = failures;
    }

    public Role role() {
        return role;
    }

    /** Whether it was closed or broken. */
    public boolean isEnded() {
        return ended;
    }

    /** A view that is older than the last, or the same, is not told. */
    public void tell(RoleView view) {
        if (ended || !isNews(view)) {
            return;
        }
        told = view;
        try {
            observer.observed(view);
        } catch (RuntimeException e) {
            failures.accept(e);
        }
    }

    private boolean isNews(RoleView view) {
        RoleView last = told;
        return last == null
                || view.version() > last.version()
                || (view.version() == last.version() && !view.equals(last));
    }

    /** It ends by a fault; idempotent. */
    public void breakOff(String cause) {
        if (!ended) {
            ended = true;
            try {
                observer.broken(cause);
            } catch (RuntimeException e) {
                failures.accept(e);
            }
        }
    }

    @Override
    public void close() {
        ended = true;
    }
}
