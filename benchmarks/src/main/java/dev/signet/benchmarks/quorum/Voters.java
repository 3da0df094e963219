package dev.signet.benchmarks.quorum;

import dev.signet.benchmarks.server.Arena;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Three voters, each a process, with their folders beside each other in the temporary folder. */
final class Voters implements Trio {

    private static final int COUNT = 3;
    private static final Duration ASKED = Duration.ofSeconds(2);

    private final Path folder;
    private final List<String> addresses;
    private final List<Process> processes;

    Voters() {
        try {
            folder = Files.createTempDirectory("signet-voters");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        addresses = Arrays.stream(Ports.free(COUNT))
                .mapToObj(port -> "127.0.0.1:" + port)
                .toList();
        processes = IntStream.rangeClosed(1, COUNT).mapToObj(this::start).toList();
        while (leader().isEmpty()) {
            Arena.pause(Duration.ofMillis(100));
        }
    }

    private Process start(int id) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-Djava.util.logging.config.file=/dev/null",
                VoterMain.class.getName(),
                Integer.toString(id),
                folder.resolve("voter-" + id).toString()));
        command.addAll(addresses);
        try {
            return new ProcessBuilder(command)
                    .redirectError(Redirect.INHERIT)
                    .redirectOutput(Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String place() {
        return String.join(",", addresses);
    }

    private Optional<VoterStatus> leader() {
        return QuorumStatus.ask(QuorumStoreOptions.of(addresses.toArray(String[]::new)), ASKED).stream()
                .flatMap(told -> told.status().stream())
                .filter(VoterStatus::leads)
                .findFirst();
    }

    @Override
    public long entries() {
        return leader().map(VoterStatus::committedIndex).orElse(-1L);
    }

    @Override
    public List<ProcessHandle> processes() {
        return processes.stream().map(Process::toHandle).toList();
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(process -> process.onExit().join());
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
