package dev.signet.store.jdbc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Judges whether leases have ended, by the clock of the database. Thread-safe.
 *
 * <p>A lease that was written on this run of the clock ends when that clock says so. Any other (written before a restart, by a
 * container with a clock of its own, on a clock that was set meanwhile) says nothing on this clock, and its holder may well
 * be alive: it has ended once it was seen unchanged for its whole length here. So it ends late, never early.
 */
final class Leases {

    private static final int MOST_FOREIGN = 20_000;

    /** No lease of this clock ends later than its span from now. One that does, by more than this, is of another clock. */
    private static final long DISAGREEMENT_NANOS = 1_000_000_000;

    private final Map<Lease, Long> foreignSince = new LinkedHashMap<>();

    /** One look at the clock, for one request. */
    Moment now(LeaseClock clock) {
        return new Moment(clock, clock.nanos(), clock.ownNanos());
    }

    private synchronized long firstSeen(Lease foreign, long ownNanos) {
        Long since = foreignSince.putIfAbsent(foreign, ownNanos);
        if (foreignSince.size() > MOST_FOREIGN) {
            foreignSince.remove(
                    Objects.requireNonNull(foreignSince.keySet().iterator().next()));
        }
        return since == null ? ownNanos : since;
    }

    /** A moment on the clock of the database. */
    final class Moment {

        private final LeaseClock clock;
        private final long nanos;
        private final long ownNanos;

        private Moment(LeaseClock clock, long nanos, long ownNanos) {
            this.clock = clock;
            this.nanos = nanos;
            this.ownNanos = ownNanos;
        }

        /** A span from now on. It ends too late by the clock's resolution, so that it never ends too early. */
        Lease begin(long spanNanos) {
            return new Lease("", 0, spanNanos, clock.bootId(), nanos + clock.resolutionNanos() + spanNanos);
        }

        /** Until the lease ends; 0 or less when it has ended. */
        long remainingNanos(Lease lease) {
            long remaining = lease.endsAtNanos() - nanos;
            return isComparable(lease, remaining)
                    ? remaining
                    : firstSeen(lease, ownNanos) + clock.resolutionNanos() + lease.spanNanos() - ownNanos;
        }

        private boolean isComparable(Lease lease, long remaining) {
            return lease.bootId().equals(clock.bootId())
                    && clock.steadyNanos() >= lease.spanNanos()
                    && remaining <= lease.spanNanos() + clock.resolutionNanos() + DISAGREEMENT_NANOS;
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
            return new Moment(clock, nanos + duration, ownNanos + duration);
        }
    }
}
