package dev.signet.time;

import java.time.Duration;

/**
 * One look at both clocks of this process. Only differences between readings of the same process mean anything.
 *
 * <p>HotSpot's monotonic clock stands still while a Linux host is suspended, and the wall clock can be set; so elapsed
 * time is the larger of the two, and a wall clock that goes back is ignored: validity ends early, never late.
 *
 * @param monoNanos the monotonic clock, in nanoseconds from an arbitrary origin
 * @param wallMillis the wall clock, in milliseconds since 1970
 */
public record Reading(long monoNanos, long wallMillis) {

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Nanoseconds from {@code earlier} to this reading by the clock that advanced more; never negative. */
    public long nanosSince(Reading earlier) {
        long mono = monoNanos - earlier.monoNanos;
        long wall = (wallMillis - earlier.wallMillis) * NANOS_PER_MILLI;
        return Math.max(0, Math.max(mono, wall));
    }

    /** This reading moved on by {@code duration} on both clocks; the wall clock rounds down. */
    public Reading plus(Duration duration) {
        return plusNanos(duration.toNanos());
    }

    public Reading plusNanos(long nanos) {
        return new Reading(monoNanos + nanos, wallMillis + Math.floorDiv(nanos, NANOS_PER_MILLI));
    }

    /** Whether either clock has reached {@code moment}. */
    public boolean isAtOrAfter(Reading moment) {
        return monoNanos - moment.monoNanos >= 0 || wallMillis - moment.wallMillis >= 0;
    }

    /** The later of two readings by the monotonic clock. */
    public Reading laterOf(Reading other) {
        return other.monoNanos - monoNanos > 0 ? other : this;
    }
}
