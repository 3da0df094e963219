package dev.signet.app.child;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a command may take from TERM to KILL.
 *
 * @param onResign when leadership is given up and renewals go on meanwhile (TERM or INT to signet)
 * @param onLost when no renewal succeeded for {@code renewDeadline}: the lease is running out, so never past the guard's kill
 */
public record StopBudget(Duration onResign, Duration onLost) {
    private static final Duration LONGEST_DEFAULT = Duration.ofSeconds(3);

    public StopBudget {
        if (onResign.isNegative() || onLost.isNegative() || onLost.compareTo(onResign) > 0) {
            throw new IllegalArgumentException(
                    "onResign = " + onResign + ", onLost = " + onLost + ": 0 <= onLost <= onResign must hold");
        }
    }

    /**
     * The budget for a lease.
     *
     * @param killAfter what the user asked for; by default the smaller of 3 s and 60 % of the lease that is left at the deadline
     * @throws IllegalArgumentException if {@code killAfter} is negative, or as {@link GuardBudget#of} says
     */
    public static StopBudget of(Duration leaseDuration, Duration renewDeadline, Optional<Duration> killAfter) {
        GuardBudget guard = GuardBudget.of(leaseDuration, renewDeadline);
        Duration usual = smaller(
                LONGEST_DEFAULT,
                leaseDuration.minus(renewDeadline).multipliedBy(6).dividedBy(10));
        Duration asked = killAfter.orElse(usual);
        if (asked.isNegative()) {
            throw new IllegalArgumentException("killAfter = " + asked + ": must not be negative");
        }
        return new StopBudget(asked, smaller(asked, guard.killAfter().minus(guard.stopAfter())));
    }

    private static Duration smaller(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
