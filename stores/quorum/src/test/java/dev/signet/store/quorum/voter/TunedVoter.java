package dev.signet.store.quorum.voter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A voter for which less is much. */
public final class TunedVoter {

    private TunedVoter() {}

    /** @param options {@code --snapshot-every=ENTRIES}, {@code --segment=BYTES}, {@code --longest-pause=MILLIS}, {@code
     *     --step-down=MILLIS}; others are left alone */
    public static Voter start(VoterOptions voter, List<String> options) throws VoterException {
        RaftSettings.Tuning usual = RaftSettings.Tuning.DEFAULT;
        return Voter.start(
                voter,
                new RaftSettings.Tuning(
                        number(options, "--longest-pause=")
                                .map(Duration::ofMillis)
                                .orElse(usual.longestPause()),
                        number(options, "--step-down=").map(Duration::ofMillis).orElse(usual.stepDown()),
                        number(options, "--snapshot-every=").orElse(usual.snapshotEvery()),
                        number(options, "--segment=").map(Long::intValue).orElse(usual.segmentBytes())));
    }

    private static Optional<Long> number(List<String> options, String name) {
        return options.stream()
                .filter(option -> option.startsWith(name))
                .map(option -> Long.valueOf(option.substring(name.length())))
                .findFirst();
    }
}
