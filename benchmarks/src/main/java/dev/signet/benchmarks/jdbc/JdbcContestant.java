package dev.signet.benchmarks.jdbc;

import dev.signet.benchmarks.contest.Contestant;
import java.io.IOException;
import java.util.List;

/** The process of one contender: KIND URL and what {@link Contestant} takes. */
final class JdbcContestant {

    private JdbcContestant() {}

    public static void main(String[] args) throws IOException {
        Kind kind = Kind.valueOf(args[0]);
        Contestant.run(
                (timing, elected) -> kind.open(args[1], timing, elected),
                List.of(args).subList(2, args.length));
    }
}
