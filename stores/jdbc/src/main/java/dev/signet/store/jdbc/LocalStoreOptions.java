package dev.signet.store.jdbc;

import java.time.Duration;

/**
 * What can be set about a {@link LocalStore}. Immutable.
 *
 * @param clock what leases are measured on; every process that uses the file has to read the same
 * @param pollInterval how often a process that watches looks whether another has written; 10 ms to 1 s
 */
public record LocalStoreOptions(HostClock clock, Duration pollInterval) {

    private static final Duration SHORTEST_POLL = Duration.ofMillis(10);
    private static final Duration LONGEST_POLL = Duration.ofSeconds(1);

    /** @throws IllegalArgumentException if the interval is out of its range */
    public LocalStoreOptions {
        if (pollInterval.compareTo(SHORTEST_POLL) < 0 || pollInterval.compareTo(LONGEST_POLL) > 0) {
            throw new IllegalArgumentException(
                    "pollInterval " + pollInterval.toMillis() + " ms is outside 10 ms to 1000 ms");
        }
    }

    /** The host's own clock, and a look every 50 ms. */
    public static LocalStoreOptions defaults() {
        return new LocalStoreOptions(HostClock.system(), Duration.ofMillis(50));
    }

    public LocalStoreOptions withClock(HostClock other) {
        return new LocalStoreOptions(other, pollInterval);
    }

    public LocalStoreOptions withPollInterval(Duration other) {
        return new LocalStoreOptions(clock, other);
    }
}
