package dev.signet.benchmarks.quorum;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What processes take of the machine from now on. */
final class Load {

    private final List<ProcessHandle> servers;
    private final List<ProcessHandle> clients;
    private final long begunNanos = System.nanoTime();
    private final double serversBefore;
    private final double clientsBefore;
    private final long writtenBefore;

    private Load(List<ProcessHandle> servers, List<ProcessHandle> clients) {
        this.servers = servers;
        this.clients = clients;
        this.serversBefore = cpuSeconds(servers);
        this.clientsBefore = cpuSeconds(clients);
        this.writtenBefore = writtenBytes(servers);
    }

    static Load begin(List<ProcessHandle> servers, List<ProcessHandle> clients) {
        return new Load(servers, clients);
    }

    /** Of one processor, and of the disk. */
    String text() {
        double seconds = (System.nanoTime() - begunNanos) / 1e9;
        return String.format(
                Locale.ROOT,
                "%d servers %.2f %%, %d clients %.2f %% of a processor; servers write %.0f kB a minute",
                servers.size(),
                100 * (cpuSeconds(servers) - serversBefore) / seconds,
                clients.size(),
                100 * (cpuSeconds(clients) - clientsBefore) / seconds,
                (writtenBytes(servers) - writtenBefore) / 1e3 * 60 / seconds);
    }

    /** Seconds of a processor that the servers took. */
    double serverSeconds() {
        return cpuSeconds(servers) - serversBefore;
    }

    private static double cpuSeconds(List<ProcessHandle> processes) {
        return processes.stream()
                        .mapToLong(process -> process.info()
                                .totalCpuDuration()
                                .orElse(Duration.ZERO)
                                .toMillis())
                        .sum()
                / 1e3;
    }

    /** What the kernel counts as caused to be written to a disk: whole pages, and so the same for all, however they keep a log. */
    private static long writtenBytes(List<ProcessHandle> processes) {
        return processes.stream().mapToLong(Load::writtenBytes).sum();
    }

    private static long writtenBytes(ProcessHandle process) {
        try {
            return Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "io")).stream()
                    .filter(line -> line.startsWith("write_bytes: "))
                    .mapToLong(line -> Long.parseLong(line.substring("write_bytes: ".length())))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
