package dev.signet.store.jdbc;

import java.time.Duration;

/**
 * What can be set about a {@link JdbcStore}. Immutable.
 *
 * @param name of the store for people, in logs and messages, without secrets; empty to have it named after the database
 * @param attempt how long a transaction of ours may wait or stand still on the server before it is ended there, whatever
 *     happened to this process; 100 ms to 1 min. An attempt of the candidates, {@code renewDeadline / 4}, is a good value
 * @param pollInterval how often a process that watches looks for changes that nobody told it of; 10 ms to 1 min. On PostgreSQL
 *     they are told, so that this is for lost messages only; on MariaDB it is how late a released role is seen
 */
public record JdbcStoreOptions(String name, Duration attempt, Duration pollInterval) {

    private static final Duration SHORTEST_ATTEMPT = Duration.ofMillis(100);
    private static final Duration SHORTEST_POLL = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** @throws IllegalArgumentException if a duration is out of its range */
    public JdbcStoreOptions {
        check("attempt", attempt, SHORTEST_ATTEMPT);
        check("pollInterval", pollInterval, SHORTEST_POLL);
    }

    private static void check(String what, Duration value, Duration shortest) {
        if (value.compareTo(shortest) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " " + value.toMillis() + " ms is outside " + shortest.toMillis()
                    + " ms to " + LONGEST.toMillis() + " ms");
        }
    }

    /** An attempt of 2.5 s, and a look every second. */
    public static JdbcStoreOptions defaults() {
        return new JdbcStoreOptions("", Duration.ofMillis(2_500), Duration.ofSeconds(1));
    }

    public JdbcStoreOptions withName(String other) {
        return new JdbcStoreOptions(other, attempt, pollInterval);
    }

    public JdbcStoreOptions withAttempt(Duration other) {
        return new JdbcStoreOptions(name, other, pollInterval);
    }

    public JdbcStoreOptions withPollInterval(Duration other) {
        return new JdbcStoreOptions(name, attempt, other);
    }
}
