package dev.signet.benchmarks.quorum;

import dev.signet.Namespace;
import dev.signet.benchmarks.contest.Contestant;
import dev.signet.benchmarks.contest.SignetContender;
import dev.signet.store.quorum.QuorumStore;
import dev.signet.store.quorum.QuorumStoreOptions;
import java.io.IOException;
import java.util.List;

/** The process of one candidate: the voters' addresses, and what {@link Contestant} takes. */
final class QuorumContestant {

    private QuorumContestant() {}

    public static void main(String[] args) throws IOException {
        Contestant.run(
                (timing, elected) -> new SignetContender(
                        QuorumStore.open(QuorumStoreOptions.of(args[0].split(",", -1)), Namespace.DEFAULT),
                        timing,
                        elected),
                List.of(args).subList(1, args.length));
    }
}
