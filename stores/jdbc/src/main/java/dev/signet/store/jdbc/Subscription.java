package dev.signet.store.jdbc;

import dev.signet.Role;
import dev.signet.store.RoleView;
import dev.signet.store.Watch;
import dev.signet.store.WatchObserver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One watch of one role. Told by the poller's thread only. */
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

    /** Whether a view with these would tell the observer something; a version that it has passed would not. */
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
