package dev.signet.runtime;

import java.time.Duration;

/** The longest time by which a tick came late: how long this process, or its host, was once not running. */
final class PauseMeter {

    private volatile long longestNanos;

    /** Called by the event loop only. */
    void came(long lateNanos) {
        if (lateNanos > longestNanos) {
            longestNanos = lateNanos;
        }
    }

    Duration longest() {
        return Duration.ofNanos(longestNanos);
    }
}
