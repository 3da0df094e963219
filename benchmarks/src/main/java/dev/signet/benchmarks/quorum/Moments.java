package dev.signet.benchmarks.quorum;

import dev.signet.benchmarks.contest.ContestantProcess;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;

/** When something happened, in microseconds of the wall clock, and what was waited for in vain. */
final class Moments {

    private static final Duration LONGEST = Duration.ofMinutes(2);

    private Moments() {}

    static long last(Map<String, Long> moments) {
        return Collections.max(moments.values());
    }

    static long first(Map<String, Long> moments) {
        return Collections.min(moments.values());
    }

    /** Throws if it does not come to lead them. */
    static void awaitElected(ContestantProcess process, int roles) {
        require(
                process.awaitElected(roles, LONGEST),
                process.elected().size() + " of " + roles + " roles are led after " + LONGEST);
    }

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
