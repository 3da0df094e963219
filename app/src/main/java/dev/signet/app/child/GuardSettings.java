package dev.signet.app.child;

import java.time.Duration;
import java.util.Optional;

/**
 * How a command is guarded.
 *
 * @param guard when the guard stops and kills it
 * @param stop how long it may take from TERM to KILL; also for processes that it leaves behind when it ends by itself
 */
public record GuardSettings(GuardBudget guard, StopBudget stop) {

    /**
     * For a lease.
     *
     * @param killAfter what the user asked for with {@code --kill-after}, if anything
     * @throws IllegalArgumentException as {@link GuardBudget#of} and {@link StopBudget#of} say
     */
    public static GuardSettings of(Duration leaseDuration, Duration renewDeadline, Optional<Duration> killAfter) {
        return new GuardSettings(
                GuardBudget.of(leaseDuration, renewDeadline), StopBudget.of(leaseDuration, renewDeadline, killAfter));
    }
}
