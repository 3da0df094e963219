package dev.signet.store.etcd;

import dev.signet.Role;
import dev.signet.store.RoleView;
import dev.signet.store.Watch;
import dev.signet.store.WatchObserver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One watch of one role. Told by the thread of watches only. */
final class Subscription implements Watch {

    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);

    private final Role role;
    private final WatchObserver observer;
    private @Nullable RoleView told;
    private volatile boolean ended;

    Subscription(Role role, WatchObserver observer) {
        this.role = role;
        this.observer = observer;
    }

    Role role() {
        return role;
    }

    boolean isEnded() {
        return ended;
    }

    void tell(RoleView view) {
        if (ended || !isNews(view)) {
            return;
        }
        told = view;
        try {
            observer.observed(view);
        } catch (RuntimeException e) {
            LOG.warn("a watcher failed; role={}", role, e);
        }
    }

    private boolean isNews(RoleView view) {
        RoleView last = told;
        return last == null
                || view.version() > last.version()
                || (view.version() == last.version() && !view.equals(last));
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
