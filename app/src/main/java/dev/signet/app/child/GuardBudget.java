package dev.signet.app.child;

import java.time.Duration;

/**
 * When the guard stops and kills an unrenewed command, counted from the <em>sending</em> of the last renewal that succeeded.
 *
 * <p>It stops it at {@code renewDeadline}: from there on the term is not valid. It kills it at {@code 0.95 · leaseDuration − 0.5 s}: 5 %
 * for a store's clock that runs fast, half a second for polling and for the act itself; 13.75 s at the defaults. Half a second is much of
 * a short lease, so there it kills at {@code renewDeadline + 0.6 · (leaseDuration − renewDeadline)} if that is later, which also leaves
 * the default {@link StopBudget} room. So always {@code stopAfter < killAfter ≤ 0.95 · leaseDuration}.
 *
 * @param stopAfter from the sending of the renewal to SIGSTOP
 * @param killAfter from the sending of the renewal to SIGKILL
 * @param pollInterval how often the guard looks at the clock, and so by how much it may be late
 */
public record GuardBudget(Duration stopAfter, Duration killAfter, Duration pollInterval) {
    /** What must be left of the lease after the kill: a poll, the kill, and a host that is slow at both. */
    private static final Duration SMALLEST_REST = Duration.ofMillis(100);

    private static final Duration SLOWEST_POLL = Duration.ofMillis(150);

    public GuardBudget {
        if (stopAfter.isNegative() || stopAfter.isZero() || stopAfter.compareTo(killAfter) >= 0) {
            throw new IllegalArgumentException("stopAfter = " + stopAfter + ", killAfter = " + killAfter
                    + ": 0 < stopAfter < killAfter must hold");
        }
        if (pollInterval.toMillis() < 10) {
            throw new IllegalArgumentException(
                    "pollInterval = " + pollInterval + ": the boot clock has a resolution of 10 ms");
        }
    }

    /**
     * The budget for a lease.
     *
     * @throws IllegalArgumentException if the two durations leave the guard no room; the message names the rule
     */
    public static GuardBudget of(Duration leaseDuration, Duration renewDeadline) {
        long lease = leaseDuration.toMillis();
        long deadline = renewDeadline.toMillis();
        if (deadline <= 0 || deadline >= lease) {
            throw new IllegalArgumentException("renewDeadline = " + renewDeadline + ", leaseDuration = " + leaseDuration
                    + ": 0 < renewDeadline < leaseDuration must hold");
        }
        long kill = Math.max(lease * 95 / 100 - 500, deadline + (lease - deadline) * 6 / 10);
        if (kill > lease * 95 / 100) {
            throw new IllegalArgumentException("renewDeadline = " + renewDeadline + ", leaseDuration = " + leaseDuration
                    + ": a command can be ended in time only if renewDeadline is at most 87.5 % of leaseDuration");
        }
        long rest = lease - kill;
        if (rest < SMALLEST_REST.toMillis()) {
            throw new IllegalArgumentException("renewDeadline = " + renewDeadline + ", leaseDuration = " + leaseDuration
                    + ": a command can be ended in time only if they lie at least 250 ms apart");
        }
        long poll = Math.min(SLOWEST_POLL.toMillis(), rest / 4);
        return new GuardBudget(Duration.ofMillis(deadline), Duration.ofMillis(kill), Duration.ofMillis(poll));
    }
}
