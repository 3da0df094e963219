package dev.signet.benchmarks.jdbc;

import dev.signet.benchmarks.contest.ContestantProcess;
import dev.signet.benchmarks.contest.Timing;
import dev.signet.benchmarks.server.Arena;
import dev.signet.benchmarks.server.Report;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Very many roles: taken by one process, and by another after the first was killed. Signet's successor waits for them, and is
 * measured from the end of the lease; the peers' begins to take them when the locks have run out, and has nothing to wait for. The
 * peers take with ten threads, and do not renew meanwhile.
 */
final class MassPart implements Comparison.Part {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    /** For a waiting candidate to have seen all roles. */
    private static final Duration TO_WATCH = Duration.ofSeconds(10);

    private static final List<Kind> KINDS = List.of(Kind.SIGNET, Kind.SHEDLOCK, Kind.SPRING);
    private static final Timing TIMING = Timing.USUAL;

    @Override
    public void measure(Arena arena, Report report, Size size) throws SQLException {
        report.part(String.format(
                Locale.ROOT,
                "Mass: %,d roles in one process; stopped and extrapolated after %d s",
                size.mass(),
                LONGEST.toSeconds()));
        for (Kind kind : KINDS) {
            String database = kind.databaseFor("mass");
            measure(arena, report, kind, database, kind.prepare(arena, database), size.mass());
        }
    }

    private static void measure(Arena arena, Report report, Kind kind, String database, String url, int roles)
            throws SQLException {
        try (Processes processes = new Processes(2, kind, url, TIMING)) {
            ContestantProcess first = processes.get(0);
            ContestantProcess second = processes.get(1);
            Usage taking = Usage.begin(arena.connection(), database, List.of(first));
            long begun = System.currentTimeMillis() * 1_000;
            first.say("take " + roles);
            boolean all = first.awaitElected(roles, LONGEST);
            Usage.Result taken = taking.end();
            report.line(kind, "taken", text(roles, begun, first.elected().values(), taken), taken.most());
            if (!all) {
                return;
            }
            if (kind == Kind.SIGNET) {
                second.say("campaign " + roles);
                // until it has seen all of them
                Arena.pause(TO_WATCH);
            }
            first.kill();
            Arena.pause(TakeoverPart.SETTLED);
            long ended = lastRenewal(kind, url) + TIMING.lease().toMillis() * 1_000;
            Arena.pause(Duration.ofMillis(Math.max(0, ended / 1_000 - System.currentTimeMillis())));
            Usage again = Usage.begin(arena.connection(), database, List.of(second));
            if (kind != Kind.SIGNET) {
                ended = System.currentTimeMillis() * 1_000;
                second.say("take " + roles);
            }
            second.awaitElected(roles, LONGEST);
            Usage.Result takenOver = again.end();
            report.line(kind, "taken over", text(roles, ended, second.elected().values(), takenOver), takenOver.most());
        }
    }

    private static long lastRenewal(Kind kind, String url) throws SQLException {
        Map<String, Long> renewals = TakeoverPart.renewals(kind, url, TIMING);
        return renewals.values().stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    private static String text(int roles, long begunMicros, Collection<Long> elected, Usage.Result usage) {
        LongStream since = elected.stream().mapToLong(at -> at - begunMicros);
        double seconds = since.max().orElse(0) / 1e6;
        String took = elected.size() == roles
                ? "%6.2f s".formatted(seconds)
                : "%,d after %.1f s, so %.0f s for all"
                        .formatted(elected.size(), seconds, seconds * roles / Math.max(1, elected.size()));
        return String.format(
                Locale.ROOT,
                "%s   %.1f statements a role, server %.1f CPU s, client %.1f CPU s",
                took,
                usage.statements() / Math.max(1, elected.size()),
                usage.serverCpuSeconds(),
                usage.clientsCpuSeconds());
    }
}
