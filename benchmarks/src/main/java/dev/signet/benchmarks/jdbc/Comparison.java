package dev.signet.benchmarks.jdbc;

import dev.signet.benchmarks.server.Arena;
import dev.signet.benchmarks.server.Report;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Starts a PostgreSQL server, measures on it, prints the figures as they come, and ends by itself. */
public final class Comparison {

    /** One question, with the answers of all who are compared. */
    interface Part {
        void measure(Arena arena, Report report, Size size) throws SQLException;
    }

    private enum Question {
        REST,
        TAKEOVER,
        HANDOVER,
        MASS,
        RENEWAL;

        Part part() {
            return switch (this) {
                case REST -> new RestPart();
                case TAKEOVER -> new TakeoverPart();
                case HANDOVER -> new HandoverPart();
                case MASS -> new MassPart();
                case RENEWAL -> new RenewalPart();
            };
        }
    }

    private Comparison() {}

    /** [--tiny] [--statements] [QUESTION...], all of them if none is named. */
    public static void main(String[] args) throws SQLException, IOException {
        Size size = Size.FULL;
        Report.Detail detail = Report.Detail.FIGURES;
        Set<Question> questions = new LinkedHashSet<>();
        for (String arg : args) {
            if (arg.equals("--tiny")) {
                size = Size.TINY;
            } else if (arg.equals("--statements")) {
                detail = Report.Detail.STATEMENTS;
            } else {
                questions.add(named(arg));
            }
        }
        Report report = new Report(System.out, detail);
        try (Arena arena = new Arena()) {
            arena.describe(report);
            for (Question question : questions.isEmpty() ? List.of(Question.values()) : List.copyOf(questions)) {
                question.part().measure(arena, report, size);
            }
        }
    }

    private static Question named(String arg) {
        return Arrays.stream(Question.values())
                .filter(question -> question.name().equalsIgnoreCase(arg))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(arg + " is none of "
                        + Arrays.toString(Question.values()).toLowerCase(Locale.ROOT)));
    }
}
