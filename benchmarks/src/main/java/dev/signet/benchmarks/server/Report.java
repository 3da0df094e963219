package dev.signet.benchmarks.server;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The table that is printed, line by line as it becomes known. */
public final class Report {

    private final PrintStream out;
    private final Detail detail;

    /** Whether it tells which statements those were that it counts. */
    public enum Detail {
        FIGURES,
        STATEMENTS
    }

    public Report(PrintStream out, Detail detail) {
        this.out = out;
        this.detail = detail;
    }

    /** A part of it, with the load of the machine at its beginning: other work shows in all that follows. */
    public void part(String title) {
        out.printf("%n%s   [load %s]%n", title, load());
    }

    public void line(Object who, String what, String figures) {
        out.printf("  %-40s %-34s %s%n", who, what, figures);
    }

    /** @param statements those that the figures count */
    public void line(Object who, String what, String figures, List<String> statements) {
        line(who, what, figures);
        if (detail == Detail.STATEMENTS) {
            statements.forEach(statement -> out.println("      " + statement));
        }
    }

    public void note(String format, Object... values) {
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
