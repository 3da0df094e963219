package dev.signet.benchmarks.jdbc;

import dev.signet.benchmarks.contest.Timing;
import dev.signet.benchmarks.server.Arena;
import dev.signet.benchmarks.server.Report;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;

/** What the server does while nothing happens: three processes, each role led by one and waited for by the two others. */
final class RestPart implements Comparison.Part {

    private static final int PROCESSES = 3;
    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    @Override
    public void measure(Arena arena, Report report, Size size) throws SQLException {
        report.part("At rest: statements a second at the server; 3 processes, " + Timing.USUAL);
        for (int roles : size.roles()) {
            for (Kind kind : Kind.values()) {
                String database = kind.databaseFor("rest_" + roles);
                String url = kind.prepare(arena, database);
                try (Processes processes = new Processes(PROCESSES, kind, url, Timing.USUAL)) {
                    processes.say("campaign " + roles);
                    awaitAllLed(processes, roles);
                    Arena.pause(Timing.USUAL.period().multipliedBy(2));
                    Usage usage = Usage.begin(arena.connection(), database, processes.all());
                    Arena.pause(size.rest());
                    Usage.Result result = usage.end();
                    report.line(kind, "%d roles".formatted(roles), text(result), result.most());
                }
            }
        }
    }

    private static void awaitAllLed(Processes processes, int roles) {
        long begun = System.nanoTime();
        while (processes.all().stream()
                        .mapToInt(process -> process.elected().size())
                        .sum()
                < roles) {
            if (System.nanoTime() - begun > LONGEST_START.toNanos()) {
                throw new IllegalStateException("not all of " + roles + " roles are led");
            }
            Arena.pause(Duration.ofMillis(100));
        }
    }

    private static String text(Usage.Result result) {
        return String.format(
                Locale.ROOT,
                "%8.1f statements/s   server %5.1f %% of a core, clients %5.1f %%",
                result.statementsPerSecond(),
                result.serverPercent(),
                result.clientsPercent());
    }
}
