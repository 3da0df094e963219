package dev.signet.benchmarks.jdbc;

import java.time.Duration;
import java.util.List;

/**
 * How much is measured.
 *
 * @param roles at rest, one after the other
 * @param rest how long each is looked at
 * @param takeovers side by side with the short lease, in each of so many rounds
 * @param usualTakeovers side by side with the usual lease
 * @param handovers of those whose successors hear of it or ask often
 * @param slowHandovers of the others
 * @param mass how many roles are very many
 * @param renewals of each kind
 */
record Size(
        List<Integer> roles,
        Duration rest,
        int takeovers,
        int takeoverRounds,
        int usualTakeovers,
        int handovers,
        int slowHandovers,
        int mass,
        int renewals) {

    static final Size FULL = new Size(List.of(1, 30, 300), Duration.ofSeconds(20), 12, 2, 5, 40, 12, 10_000, 300);

    /** To see that it runs. */
    static final Size TINY = new Size(List.of(3), Duration.ofSeconds(3), 2, 1, 0, 3, 2, 200, 20);
}
