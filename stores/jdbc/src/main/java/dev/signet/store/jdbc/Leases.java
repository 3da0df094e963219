package dev.signet.store.jdbc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Judges whether leases have ended, by this host's clock. Thread-safe.
 *
 * <p>A lease that was written on this boot's clock ends when that clock says so. Any other (written before a restart, by a
 * container with a clock of its own, on a system without a boot clock) says nothing on this clock, and its holder may well
 * be alive: it has ended once it was seen unchanged for its whole length here. So it ends late, never early.
 */
final class Leases {

    private static final int MOST_FOREIGN = 20_000;

    /** No lease of this clock ends later than its span from now. One that does, by more than this, is of another clock. */
    private static final long DISAGREEMENT_NANOS = 1_000_000_000;

    private final HostClock clock;
    private final Map<Lease, Long> foreignSince = new LinkedHashMap<>();

    Leases(HostClock clock) {
        this.clock = clock;
    }

    /** One look at the clock, for one transaction. */
    Moment now() {
        return new Moment(clock.nanos());
    }

    private synchronized long firstSeen(Lease foreign, long now) {
        Long since = foreignSince.putIfAbsent(foreign, now);
        if (foreignSince.size() > MOST_FOREIGN) {
            foreignSince.remove(
                    Objects.requireNonNull(foreignSince.keySet().iterator().next()));
        }
        return since == null ? now : since;
    }

    /** A moment on this host's clock. */
    final class Moment {

        private final long nanos;

        private Moment(long nanos) {
            this.nanos = nanos;
        }

        /** A span from now on. It ends too late by the clock's resolution, so that it never ends too early. */
        Lease begin(String stamp, long spanNanos) {
            return new Lease(stamp, spanNanos, clock.bootId(), nanos + clock.resolutionNanos() + spanNanos);
        }

        /** Until the lease ends; 0 or less when it has ended. */
        long remainingNanos(Lease lease) {
            long remaining = lease.endsAtNanos() - nanos;
            boolean comparable = lease.bootId().equals(clock.bootId())
                    && remaining <= lease.spanNanos() + clock.resolutionNanos() + DISAGREEMENT_NANOS;
            return comparable
                    ? remaining
                    : firstSeen(lease, nanos) + clock.resolutionNanos() + lease.spanNanos() - nanos;
        }

        boolean hasEnded(Lease lease) {
            return remainingNanos(lease) <= 0;
        }

        boolean isBefore(Moment other) {
            return nanos < other.nanos;
        }

        long nanosUntil(Moment later) {
            return later.nanos - nanos;
        }

        long nanosSince(Moment earlier) {
            return nanos - earlier.nanos;
        }

        Moment plusNanos(long duration) {
            return new Moment(nanos + duration);
        }
    }
}
