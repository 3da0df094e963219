package dev.signet.benchmarks.quorum;

import dev.signet.benchmarks.contest.Timing;
import java.time.Duration;

/**
 * How much is measured.
 *
 * @param timing but for the take-over in earnest, only to see that it runs
 * @param mass how many roles are very many
 * @param moves of all of them
 * @param rest how long is looked at what nothing but renewals takes
 * @param sessions in all
 * @param takeovers side by side
 * @param handovers of each way
 * @param unmeasured of each way before that, for all to be warm
 */
record Size(
        Timing timing, int mass, int moves, Duration rest, int sessions, int takeovers, int handovers, int unmeasured) {

    static final Size FULL = new Size(Timing.USUAL, 10_000, 2, Duration.ofSeconds(30), 1_000, 20, 20, 20);

    /** To see that it runs. */
    static final Size TINY = new Size(Timing.SHORT, 100, 1, Duration.ofSeconds(2), 12, 2, 2, 1);
}
