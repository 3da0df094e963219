package dev.signet.benchmarks.quorum;

import dev.signet.benchmarks.contest.ContestantProcess;
import dev.signet.benchmarks.server.Arena;
import dev.signet.benchmarks.server.Report;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What it takes to keep very many roles on one session, while nothing happens but renewals. */
final class RestPart implements Comparison.Part {

    /** For what was taken to be written down, and code that ran for it to be compiled. */
    private static final Duration SETTLED = Duration.ofSeconds(15);

    @Override
    public String title(Size size) {
        return String.format(
                Locale.ROOT,
                "Rest: %,d roles on one session, or as many as said, for %d s; %s",
                size.mass(),
                size.rest().toSeconds(),
                size.timing());
    }

    @Override
    public void measure(Kind kind, Trio servers, Report report, Size size) {
        int held = kind.held(size.mass());
        try (ContestantProcess holder = kind.contestant(servers, size.timing())) {
            holder.say("take " + held);
            Moments.awaitElected(holder, held);
            Arena.pause(SETTLED);
            long entries = servers.entries();
            Load load = Load.begin(servers.processes(), List.of(holder.handle()));
            Arena.pause(size.rest());
            report.line(kind, String.format(Locale.ROOT, "%,d roles", held), load.text());
            if (entries >= 0) {
                report.line(
                        kind,
                        "",
                        String.format(
                                Locale.ROOT,
                                "%d entries of the log in %d s",
                                servers.entries() - entries,
                                size.rest().toSeconds()));
            }
            report.line(kind, "", Memory.text(servers.processes()));
        }
    }
}
