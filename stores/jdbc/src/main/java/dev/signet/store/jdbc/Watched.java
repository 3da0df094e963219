package dev.signet.store.jdbc;

import dev.signet.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A role and whoever watches it. Used by the poller's thread only. */
final class Watched {

    private final Role role;
    private final List<Subscription> subscriptions = new ArrayList<>();

    /** As it was read last; null before the first time. The sessions in it may have moved on since. */
    private @Nullable RoleRow row;

    Watched(Role role) {
        this.role = role;
    }

    Role role() {
        return role;
    }

    void add(Subscription subscription) {
        subscriptions.add(subscription);
    }

    /**
     * Whether what was read is what is there.
     *
     * @param version of the record, or null if it did not change lately
     */
    boolean isAt(@Nullable Long version) {
        RoleRow known = row;
        return known != null && (version == null || known.version() == version);
    }

    /** Null to forget what was read. */
    void read(@Nullable RoleRow latest) {
        row = latest;
    }

    boolean isDeserted() {
        return subscriptions.isEmpty();
    }

    /**
     * @param live the sessions as they are
     * @return the nanoseconds until its view may change by the passing of time
     */
    long tell(Map<Long, Lease> live, Leases.Moment now) {
        RoleRow known = row;
        if (known == null) {
            return 0;
        }
        RoleRow current = known.withSessions(live);
        subscriptions.removeIf(Subscription::isEnded);
        boolean claimable = current.isClaimable(now);
        boolean kept = current.keptNow(now).isPresent();
        for (Subscription subscription : subscriptions) {
            if (subscription.isNews(current.version(), claimable, kept)) {
                subscription.tell(current.view(now));
            }
        }
        return current.nanosUntilItsViewChanges(now);
    }

    void breakOff(String cause) {
        for (Subscription subscription : subscriptions) {
            subscription.breakOff(cause);
        }
    }
}
