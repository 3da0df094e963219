package dev.signet.benchmarks.quorum;

import dev.signet.benchmarks.server.Disk;
import dev.signet.benchmarks.server.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/** Starts three servers for each question and each who is compared, prints the figures as they come, and ends by itself. */
public final class Comparison {

    /** One question. */
    interface Part {
        String title(Size size);

        /** For one of those who are compared, whose servers are new. */
        void measure(Kind kind, Trio servers, Report report, Size size) throws IOException;
    }

    private enum Question {
        MASS,
        REST,
        SESSIONS,
        TAKEOVER,
        HANDOVER;

        private Part part() {
            return switch (this) {
                case MASS -> new MassPart();
                case REST -> new RestPart();
                case SESSIONS -> new SessionsPart();
                case TAKEOVER -> new TakeoverPart();
                case HANDOVER -> new HandoverPart();
            };
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private Comparison() {}

    /** [--tiny] [QUESTION...] [KIND...]: all of them if none is named. */
    public static void main(String[] args) throws IOException {
        Set<String> named = Set.copyOf(Arrays.asList(args));
        Size size = named.contains("--tiny") ? Size.TINY : Size.FULL;
        Set<Question> questions = named(Question.class, Question::word, named);
        Set<Kind> kinds = named(Kind.class, Kind::word, named);
        refuseOthers(named);
        Report report = new Report(System.out, Report.Detail.FIGURES);
        describe(report);
        boolean all = true;
        for (Question question : questions) {
            report.part(question.part().title(size));
            for (Kind kind : kinds) {
                all &= measured(question.part(), kind, report, size);
            }
        }
        if (!all) {
            System.exit(1);
        }
    }

    /** One who fails does not keep the others from being measured. */
    private static boolean measured(Part part, Kind kind, Report report, Size size) throws IOException {
        try (Trio servers = kind.servers()) {
            part.measure(kind, servers, report, size);
            return true;
        } catch (IllegalStateException e) {
            report.line(kind, "FAILED", String.valueOf(e.getMessage()));
            return false;
        }
    }

    private static <E extends Enum<E>> Set<E> named(Class<E> type, Function<E, String> word, Set<String> named) {
        EnumSet<E> all = EnumSet.allOf(type);
        EnumSet<E> some = EnumSet.copyOf(all);
        some.removeIf(one -> !named.contains(word.apply(one)));
        return some.isEmpty() ? all : some;
    }

    private static void refuseOthers(Set<String> named) {
        for (String word : named) {
            if (!word.equals("--tiny")
                    && Arrays.stream(Question.values())
                            .noneMatch(question -> question.word().equals(word))
                    && Arrays.stream(Kind.values())
                            .noneMatch(kind -> kind.word().equals(word))) {
                throw new IllegalArgumentException(word + " is neither --tiny nor one of "
                        + Arrays.stream(Question.values()).map(Question::word).toList() + " nor one of "
                        + Arrays.stream(Kind.values()).map(Kind::word).toList());
            }
        }
    }

    /** Of the temporary folder, in which all servers have their folders. */
    private static void describe(Report report) throws IOException {
        Path folder = Files.createTempDirectory("signet-benchmark");
        try {
            Disk.describe(report, folder);
        } finally {
            Files.delete(folder);
        }
    }
}
