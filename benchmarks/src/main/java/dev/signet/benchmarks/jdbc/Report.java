package dev.signet.benchmarks.jdbc;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The table that is printed, line by line as it becomes known. */
final class Report {

    private final PrintStream out;
    private final Detail detail;

    /** Whether it tells which statements those were that it counts. */
    enum Detail {
        FIGURES,
        STATEMENTS
    }

    Report(PrintStream out, Detail detail) {
        this.out = out;
        this.detail = detail;
    }

    /** A part of it, with the load of the machine at its beginning: other work shows in all that follows. */
    void part(String title) {
        out.printf("%n%s   [load %s]%n", title, load());
    }

    void line(Object who, String what, String figures) {
        out.printf("  %-40s %-34s %s%n", who, what, figures);
    }

    void line(Object who, String what, String figures, Usage.Result usage) {
        line(who, what, figures);
        if (detail == Detail.STATEMENTS) {
            usage.most().forEach(statement -> out.println("      " + statement));
        }
    }

    void note(String format, Object... values) {
        out.printf(Locale.ROOT, format + "%n", values);
    }

    private static String load() {
        try {
            return Files.readString(Path.of("/proc/loadavg")).replaceFirst(" .*\n?", "");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
