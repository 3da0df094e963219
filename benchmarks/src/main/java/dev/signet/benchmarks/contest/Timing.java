package dev.signet.benchmarks.contest;

import dev.signet.lease.LeaseTiming;
import java.time.Duration;

/** The same for all: after which time without a renewal a role is free, and how often a candidate does something. */
public record Timing(Duration lease, Duration period) {

    public static final Timing USUAL = new Timing(Duration.ofSeconds(15), Duration.ofSeconds(2));
    public static final Timing SHORT = new Timing(Duration.ofSeconds(3), Duration.ofMillis(500));

    public LeaseTiming signet() {
        return new LeaseTiming(lease, lease.multipliedBy(2).dividedBy(3), period);
    }

    @Override
    public String toString() {
        return lease.toSeconds() + " s lease";
    }
}
