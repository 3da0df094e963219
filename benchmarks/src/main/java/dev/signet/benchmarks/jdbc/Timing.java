package dev.signet.benchmarks.jdbc;

import dev.signet.lease.LeaseTiming;
import java.time.Duration;

/** The same for all: after which time without a renewal a role is free, and how often a candidate does something. */
record Timing(Duration lease, Duration period) {

    static final Timing USUAL = new Timing(Duration.ofSeconds(15), Duration.ofSeconds(2));
    static final Timing SHORT = new Timing(Duration.ofSeconds(3), Duration.ofMillis(500));

    LeaseTiming signet() {
        return new LeaseTiming(lease, lease.multipliedBy(2).dividedBy(3), period);
    }

    @Override
    public String toString() {
        return lease.toSeconds() + " s lease";
    }
}
