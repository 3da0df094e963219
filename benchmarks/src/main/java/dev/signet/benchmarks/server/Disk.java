package dev.signet.benchmarks.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The machine, and the disk below a folder: what all figures depend on. */
public final class Disk {

    private static final int WRITES = 300;

    private Disk() {}

    public static void describe(Report report, Path folder) throws IOException {
        report.note(
                "%d processors (%s), Java %s, %s",
                Runtime.getRuntime().availableProcessors(),
                processor(),
                Runtime.version(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"));
        report.note(
                "data on %s; to force 2 kB there: %s",
                Files.getFileStore(folder).type(),
                probe(folder.resolveSibling("probe-" + ProcessHandle.current().pid()))
                        .text("%.2f ms"));
    }

    private static String processor() throws IOException {
        return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.replaceFirst("^[^:]*: *", ""))
                .findFirst()
                .orElse("unknown");
    }

    /** What one write to that disk takes without a database. */
    private static Figures probe(Path file) throws IOException {
        Figures figures = new Figures();
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            for (int write = 0; write < WRITES; write++) {
                long begun = System.nanoTime();
                channel.write(ByteBuffer.allocate(2_048));
                channel.force(false);
                figures.add((System.nanoTime() - begun) / 1e6);
            }
        } finally {
            Files.deleteIfExists(file);
        }
        return figures;
    }
}
