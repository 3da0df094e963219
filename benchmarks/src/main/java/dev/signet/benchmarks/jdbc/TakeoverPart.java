package dev.signet.benchmarks.jdbc;

import dev.signet.benchmarks.contest.ContestantProcess;
import dev.signet.benchmarks.contest.Timing;
import dev.signet.benchmarks.server.Arena;
import dev.signet.benchmarks.server.Figures;
import dev.signet.benchmarks.server.Report;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * From the last renewal that was accepted of a process that is then killed, as the database has it, to the successor's listener.
 * Signet's holders have a session each, so that each is a sample of its own.
 */
final class TakeoverPart implements Comparison.Part {

    /** So that what was sent before the kill has been done at the server when it is asked. */
    static final Duration SETTLED = Duration.ofMillis(100);

    private static final List<Kind> KINDS = List.of(Kind.SIGNET, Kind.SHEDLOCK, Kind.SPRING);

    @Override
    public void measure(Arena arena, Report report, Size size) throws SQLException {
        report.part("Take-over after kill -9: from the last accepted renewal to the successor's listener");
        measure(arena, report, Timing.SHORT, size.takeovers(), size.takeoverRounds());
        if (size.usualTakeovers() > 0) {
            measure(arena, report, Timing.USUAL, size.usualTakeovers(), 1);
        }
    }

    private static void measure(Arena arena, Report report, Timing timing, int roles, int rounds) throws SQLException {
        Map<Kind, Figures> overLease = new HashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Kind kind : KINDS) {
                String database = kind.databaseFor("takeover_" + timing.lease().toSeconds() + "_" + round);
                overLease
                        .computeIfAbsent(kind, any -> new Figures())
                        .addAll(round(kind, kind.prepare(arena, database), timing, roles));
            }
        }
        for (Kind kind : KINDS) {
            Figures over = overLease.getOrDefault(kind, new Figures());
            report.line(kind, timing + ", over it", over.text("%.0f ms"));
        }
    }

    /** Milliseconds over the lease. */
    private static Figures round(Kind kind, String url, Timing timing, int roles) throws SQLException {
        Figures figures = new Figures();
        try (Processes processes = new Processes(2, kind, url, timing)) {
            ContestantProcess holder = processes.get(0);
            ContestantProcess successor = processes.get(1);
            holder.say((kind == Kind.SIGNET ? "apart " : "campaign ") + roles);
            require(holder.awaitElected(roles, Duration.ofSeconds(60)), kind + ": not all roles are led");
            successor.say("campaign " + roles);
            Arena.pause(timing.lease().plus(Arena.upTo(timing.period())));
            require(
                    successor.elected().isEmpty(),
                    kind + ": a holder that lives was succeeded; the machine is too busy");
            holder.kill();
            Arena.pause(SETTLED);
            Map<String, Long> renewed = renewals(kind, url, timing);
            require(
                    successor.awaitElected(roles, timing.lease().multipliedBy(2).plusSeconds(20)),
                    kind + ": not all roles have a successor");
            successor.elected().forEach((role, micros) -> {
                long last = Objects.requireNonNull(renewed.get(kind.key(role)), role);
                figures.add((micros - last) / 1e3 - timing.lease().toMillis());
            });
        }
        return figures;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    /** When each role that is held was renewed last. */
    static Map<String, Long> renewals(Kind kind, String url, Timing timing) throws SQLException {
        Map<String, Long> found = new HashMap<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(kind.renewals(timing))) {
            while (rows.next()) {
                found.put(rows.getString(1).strip(), rows.getLong(2));
            }
        }
        return found;
    }
}
