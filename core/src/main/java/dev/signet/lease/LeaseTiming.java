package dev.signet.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How long a leader may lead without a word from the store, and how often it asks. Immutable.
 *
 * <p>The rule is {@code 1.2 · retryPeriod < renewDeadline < leaseDuration} with {@code retryPeriod ≤ leaseDuration / 3},
 * as in client-go's leader election, which also tolerates clocks whose <em>rates</em> differ by
 * {@code leaseDuration / renewDeadline}.
 *
 * @param leaseDuration a challenger may claim only after this long without an accepted renewal
 * @param renewDeadline a holder that could not renew for this long stops by itself
 * @param retryPeriod between two renewals
 * @see <a href="https://pkg.go.dev/k8s.io/client-go/tools/leaderelection">client-go leaderelection</a>
 */
public record LeaseTiming(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

    /** No renewal is asked for more often. */
    public static final Duration SHORTEST_RETRY_PERIOD = Duration.ofMillis(50);

    /** What a holder needs at least between its own deadline and the end of its lease, to stop what it runs. */
    public static final Duration SHORTEST_STOP_BUDGET = Duration.ofMillis(100);

    public static final Duration LONGEST_LEASE = Duration.ofHours(1);

    // Made by the constructor, which reads the limits above: it comes after them.
    /** 15 s, 10 s, 2 s. */
    public static final LeaseTiming DEFAULT =
            new LeaseTiming(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    /** @throws IllegalArgumentException naming every fault at once, each with its value and the rule */
    public LeaseTiming {
        List<String> faults = faults(leaseDuration, renewDeadline, retryPeriod);
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException("lease timing cannot work: " + String.join("; ", faults));
        }
    }

    /** What is wrong with these three; empty if nothing is. */
    public static List<String> faults(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
        List<String> faults = new ArrayList<>();
        tooLong("leaseDuration", leaseDuration).ifPresent(faults::add);
        tooLong("renewDeadline", renewDeadline).ifPresent(faults::add);
        tooLong("retryPeriod", retryPeriod).ifPresent(faults::add);
        if (!faults.isEmpty()) {
            return faults;
        }
        if (retryPeriod.compareTo(SHORTEST_RETRY_PERIOD) < 0) {
            faults.add("retryPeriod " + shown(retryPeriod) + " is below " + shown(SHORTEST_RETRY_PERIOD));
        }
        if (renewDeadline.compareTo(retryPeriod.multipliedBy(6).dividedBy(5)) <= 0) {
            faults.add("renewDeadline " + shown(renewDeadline) + " is not above 1.2 · retryPeriod "
                    + shown(retryPeriod.multipliedBy(6).dividedBy(5)));
        }
        if (renewDeadline.compareTo(leaseDuration) >= 0) {
            faults.add("renewDeadline " + shown(renewDeadline) + " is not below leaseDuration " + shown(leaseDuration));
        } else if (leaseDuration.minus(renewDeadline).compareTo(SHORTEST_STOP_BUDGET) < 0) {
            faults.add("leaseDuration " + shown(leaseDuration) + " leaves less than " + shown(SHORTEST_STOP_BUDGET)
                    + " after renewDeadline " + shown(renewDeadline) + " to stop the work");
        }
        if (retryPeriod.multipliedBy(3).compareTo(leaseDuration) > 0) {
            faults.add(
                    "retryPeriod " + shown(retryPeriod) + " is above a third of leaseDuration " + shown(leaseDuration));
        }
        return faults;
    }

    /** The longest that one request to a store may take: a quarter of {@code renewDeadline}. */
    public Duration attemptTimeout() {
        return renewDeadline.dividedBy(4);
    }

    /** A step of the machine that comes later than this means that the process could not run: it was paused. */
    public Duration pauseThreshold() {
        Duration two = retryPeriod.multipliedBy(2);
        return two.compareTo(Duration.ofSeconds(2)) > 0 ? two : Duration.ofSeconds(2);
    }

    /** What a holder has to stop its work between its own deadline and the end of its lease. */
    public Duration stopBudget() {
        return leaseDuration.minus(renewDeadline);
    }

    private static Optional<String> tooLong(String name, Duration duration) {
        return duration.compareTo(LONGEST_LEASE) > 0
                ? Optional.of(name + " is above " + shown(LONGEST_LEASE))
                : Optional.empty();
    }

    private static String shown(Duration duration) {
        return duration.toMillis() + " ms";
    }
}
