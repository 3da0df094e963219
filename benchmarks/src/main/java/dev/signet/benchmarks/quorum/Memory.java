package dev.signet.benchmarks.quorum;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What processes hold of the memory. */
final class Memory {

    private static final Pattern USED = Pattern.compile("(?m)^ *(?:garbage-first heap|def new|tenured).* used (\\d+)K");

    private Memory() {}

    /** The most that one of them holds: resident, and of the heap of a Java program after a collection. */
    static String text(List<ProcessHandle> processes) {
        long resident = processes.stream().mapToLong(Memory::resident).max().orElse(0);
        OptionalLong heap = processes.stream()
                .filter(Memory::isJava)
                .mapToLong(Memory::heap)
                .max();
        String collected = heap.isPresent()
                ? String.format(Locale.ROOT, ", heap after a collection %.1f MB", heap.getAsLong() / 1e3)
                : "";
        return String.format(Locale.ROOT, "largest server %.0f MB resident%s", resident / 1e3, collected);
    }

    private static boolean isJava(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("/java");
    }

    /** In kB. */
    private static long resident(ProcessHandle process) {
        try {
            return Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In kB. */
    private static long heap(ProcessHandle process) {
        jcmd(process, "GC.run");
        Matcher used = USED.matcher(jcmd(process, "GC.heap_info"));
        long sum = 0;
        while (used.find()) {
            sum += Long.parseLong(used.group(1));
        }
        return sum;
    }

    private static String jcmd(ProcessHandle process, String command) {
        Path program = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        try {
            Process jcmd = new ProcessBuilder(program.toString(), String.valueOf(process.pid()), command)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(jcmd.getInputStream().readAllBytes(), UTF_8);
            if (jcmd.waitFor() != 0) {
                throw new IllegalStateException(command + ": " + said);
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
