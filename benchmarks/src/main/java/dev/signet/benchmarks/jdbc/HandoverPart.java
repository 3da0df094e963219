package dev.signet.benchmarks.jdbc;

import dev.signet.benchmarks.contest.Contestant;
import dev.signet.benchmarks.contest.ContestantProcess;
import dev.signet.benchmarks.contest.Timing;
import dev.signet.benchmarks.server.Arena;
import dev.signet.benchmarks.server.Figures;
import dev.signet.benchmarks.server.Report;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From asking the leader to give up in good order to the listener of the successor, who waits for the role all the time. */
final class HandoverPart implements Comparison.Part {

    private static final String ROLE = Contestant.role(0);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(400);
    private static final Duration LONGEST = Duration.ofSeconds(20);

    @Override
    public void measure(Arena arena, Report report, Size size) throws SQLException {
        report.part("Hand-over: from resigning to the successor's listener, " + Timing.USUAL);
        for (Kind kind : List.of(Kind.SIGNET, Kind.SHEDLOCK, Kind.SPRING)) {
            String url = kind.prepare(arena, kind.databaseFor("handover"));
            int rounds = kind == Kind.SHEDLOCK ? size.slowHandovers() : size.handovers();
            report.line(kind, "", rounds(kind, url, rounds).text("%.1f ms"));
        }
    }

    private static Figures rounds(Kind kind, String url, int rounds) {
        Figures figures = new Figures();
        try (Processes processes = new Processes(2, kind, url, Timing.USUAL)) {
            ContestantProcess leader = processes.get(0);
            ContestantProcess other = processes.get(1);
            leader.say("campaign 1");
            awaitLeads(leader);
            other.say("campaign 1");
            for (int round = 0; round < rounds; round++) {
                Arena.pause(SHORTEST_PAUSE.plus(Arena.upTo(SHORTEST_PAUSE)));
                other.forget();
                leader.forget();
                leader.say("resign " + ROLE);
                awaitLeads(other);
                figures.add(
                        (at(other.elected().get(ROLE)) - at(leader.resigned().get(ROLE))) / 1e3);
                leader.say("again " + ROLE);
                ContestantProcess before = leader;
                leader = other;
                other = before;
            }
        }
        return figures;
    }

    private static long at(@Nullable Long micros) {
        if (micros == null) {
            throw new IllegalStateException("it did not say when");
        }
        return micros;
    }

    private static void awaitLeads(ContestantProcess process) {
        if (!process.awaitElected(1, LONGEST)) {
            throw new IllegalStateException("nobody leads within " + LONGEST);
        }
    }
}
