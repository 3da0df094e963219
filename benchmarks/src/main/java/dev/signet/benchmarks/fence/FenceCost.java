package dev.signet.benchmarks.fence;

import dev.signet.benchmarks.server.Arena;
import dev.signet.benchmarks.server.Figures;
import dev.signet.benchmarks.server.Report;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Starts a PostgreSQL server, measures on it, prints the figures as they come, and ends by itself. */
public final class FenceCost {

    private static final List<Integer> CLIENTS = List.of(1, 8, 32);
    private static final Duration WARM_UP = Duration.ofSeconds(1);

    private final Arena arena;
    private final Report report;
    private final int pairs;
    private final Duration round;
    private final int seals;

    private FenceCost(Arena arena, Report report, int pairs, Duration round, int seals) {
        this.arena = arena;
        this.report = report;
        this.pairs = pairs;
        this.round = round;
        this.seals = seals;
    }

    /** [--tiny] */
    public static void main(String[] args) throws SQLException, IOException {
        boolean tiny = List.of(args).contains("--tiny");
        Report report = new Report(System.out, Report.Detail.FIGURES);
        try (Arena arena = new Arena()) {
            arena.describe(report);
            FenceCost cost = tiny
                    ? new FenceCost(arena, report, 1, Duration.ofMillis(500), 5)
                    : new FenceCost(arena, report, 7, Duration.ofSeconds(3), 100);
            cost.throughput();
            cost.sealing();
        }
    }

    private void throughput() throws SQLException {
        report.part("Transactions of three statements a second, each form beside none, in pairs of " + round.toMillis()
                + " ms rounds");
        for (int clients : CLIENTS) {
            for (Form form : Form.fenced()) {
                compare(form, clients);
            }
        }
    }

    private void compare(Form form, int clients) throws SQLException {
        String name = form.name().toLowerCase(java.util.Locale.ROOT) + clients;
        Figures with = new Figures();
        Figures without = new Figures();
        Figures ratios = new Figures();
        try (Ledger plain = new Ledger(arena, name + "_none", clients, Form.NONE);
                Ledger fenced = new Ledger(arena, name, clients, form)) {
            form.prepare(fenced);
            rate(plain, Form.NONE, clients, WARM_UP);
            rate(fenced, form, clients, WARM_UP);
            for (int pair = 0; pair < pairs; pair++) {
                // whatever drifts meets both: each is first in every other pair
                double first = pair % 2 == 0 ? rate(plain, Form.NONE, clients, round) : 0;
                double fencedRate = rate(fenced, form, clients, round);
                double plainRate = pair % 2 == 0 ? first : rate(plain, Form.NONE, clients, round);
                with.add(fencedRate);
                without.add(plainRate);
                ratios.add(fencedRate / plainRate);
            }
        }
        report.line(
                form,
                clients + " clients",
                "of none: %s; %.0f/s beside %.0f/s".formatted(ratios.text("%.2f"), with.median(), without.median()));
    }

    private static double rate(Ledger ledger, Form form, int clients, Duration length) {
        long begun = System.nanoTime();
        Crowd crowd = new Crowd(ledger, form, clients, 1);
        Arena.pause(length);
        crowd.stop();
        return crowd.paid() / ((System.nanoTime() - begun) / 1e9);
    }

    private void sealing() throws SQLException {
        report.part("A seal beside 32 clients of the old term, and of the term before, that do not stop");
        for (Form form : Form.fenced()) {
            Figures millis = new Figures();
            try (Ledger ledger =
                    new Ledger(arena, "seal_" + form.name().toLowerCase(java.util.Locale.ROOT), 40, form)) {
                form.prepare(ledger);
                for (int seal = 0; seal < seals; seal++) {
                    // those of the trigger carry what their session was told, and are refused after the first seal
                    Crowd crowd = new Crowd(ledger, form, 32, 1 + (form == Form.TRIGGER ? 0 : seal));
                    Arena.pause(Duration.ofMillis(100));
                    long begun = System.nanoTime();
                    ledger.seal(2L + seal);
                    millis.add((System.nanoTime() - begun) / 1e6);
                    crowd.stop();
                }
            }
            report.line(form, "32 clients", millis.text("%.1f ms"));
        }
    }
}
