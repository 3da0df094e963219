package dev.signet.benchmarks.quorum;

import dev.signet.servers.Ports;
import dev.signet.store.quorum.QuorumStatus;
import dev.signet.store.quorum.QuorumStoreOptions;
import dev.signet.store.quorum.wire.VoterStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Three voters, each a process, with their folders beside each other in the temporary folder. */
final class Voters implements AutoCloseable {

    private static final int COUNT = 3;
    private static final Duration ASKED = Duration.ofSeconds(2);

    private final Path folder;
    private final List<String> addresses;
    private final List<Process> processes = new ArrayList<>();

    Voters() throws IOException {
        folder = Files.createTempDirectory("signet-voters");
        addresses = Arrays.stream(Ports.free(COUNT))
                .mapToObj(port -> "127.0.0.1:" + port)
                .toList();
        for (int id = 1; id <= COUNT; id++) {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                    VoterMain.class.getName(),
                    Integer.toString(id),
                    folder.resolve("voter-" + id).toString()));
            command.addAll(addresses);
            processes.add(new ProcessBuilder(command)
                    .redirectError(Redirect.INHERIT)
                    .redirectOutput(Redirect.DISCARD)
                    .start());
        }
        while (leader().isEmpty()) {
            pause(Duration.ofMillis(100));
        }
    }

    Path folder() {
        return folder;
    }

    String place() {
        return String.join(",", addresses);
    }

    Optional<VoterStatus> leader() {
        return QuorumStatus.ask(QuorumStoreOptions.of(addresses.toArray(String[]::new)), ASKED).stream()
                .flatMap(told -> told.status().stream())
                .filter(VoterStatus::leads)
                .findFirst();
    }

    double cpuSeconds() {
        return processes.stream()
                        .mapToLong(process -> process.info()
                                .totalCpuDuration()
                                .orElse(Duration.ZERO)
                                .toMillis())
                        .sum()
                / 1e3;
    }

    /** Of all files of one voter. */
    long bytes() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("voter-1"))) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    static void pause(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(process -> process.onExit().join());
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
