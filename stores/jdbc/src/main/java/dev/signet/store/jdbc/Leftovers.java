package dev.signet.store.jdbc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the sessions that nobody will renew or succeed any more, so that the file does not grow with each crash. A session
 * counts as left over an hour after it was <em>seen</em> to have ended, not after it ended: when a host wakes, all its
 * sessions have ended long ago, and their owners are about to renew them. Used by one thread.
 */
final class Leftovers {

    static final long KEPT_NANOS = 3_600_000_000_000L;

    private final Map<Long, Leases.Moment> endedSince = new HashMap<>();

    List<Long> among(Map<Long, Lease> sessions, Leases.Moment now) {
        endedSince.keySet().retainAll(sessions.keySet());
        List<Long> leftOver = new ArrayList<>();
        for (Map.Entry<Long, Lease> session : sessions.entrySet()) {
            if (!now.hasEnded(session.getValue())) {
                endedSince.remove(session.getKey());
            } else if (now.nanosSince(endedSince.computeIfAbsent(session.getKey(), number -> now)) > KEPT_NANOS) {
                leftOver.add(session.getKey());
            }
        }
        return leftOver;
    }
}
