package dev.signet.benchmarks.quorum;

import dev.signet.benchmarks.contest.Contestant;
import java.io.IOException;
import java.util.List;
import org.apache.curator.framework.recipes.leader.LeaderLatch;

/** The process of one contender: KIND PLACE and what {@link Contestant} takes. */
final class QuorumContestant {

    private QuorumContestant() {}

    public static void main(String[] args) throws IOException {
        // it has an error to tell of each latch whose session was lost
        System.setProperty("org.slf4j.simpleLogger.log." + LeaderLatch.class.getName(), "off");
        Kind kind = Kind.valueOf(args[0]);
        Contestant.run(
                (timing, elected) -> kind.open(args[1], timing, elected),
                List.of(args).subList(2, args.length));
    }
}
