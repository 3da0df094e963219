package dev.signet.store.quorum;

import dev.signet.store.quorum.voter.TunedVoter;
import dev.signet.store.quorum.voter.Voter;
import dev.signet.store.quorum.voter.VoterException;
import dev.signet.store.quorum.voter.VoterOptions;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Tls;
import dev.signet.testkit.JavaChild;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A voter in a process of its own, that is killed, frozen and started again. */
final class VoterProcess implements AutoCloseable {

    private final String id;
    private final SortedMap<String, Address> voters;
    private final Path data;
    private final List<String> prefix;
    private @Nullable JavaChild child;

    /** @param prefix a command that runs the rest of its line */
    VoterProcess(String id, Map<String, Address> voters, Path data, List<String> prefix) {
        this.id = id;
        this.voters = new TreeMap<>(voters);
        this.data = data;
        this.prefix = prefix;
    }

    Path data() {
        return data;
    }

    Address address() {
        return voters.get(id);
    }

    /** Until it takes part. */
    VoterProcess start(String... options) {
        begin(options).expect("started");
        return this;
    }

    JavaChild begin(String... options) {
        List<String> arguments = new ArrayList<>(List.of(id, data.toString(), text(voters)));
        arguments.addAll(List.of(options));
        JavaChild next = JavaChild.startUnder(prefix, Main.class, arguments.toArray(String[]::new));
        child = next;
        return next;
    }

    JavaChild child() {
        if (child == null) {
            throw new IllegalStateException("voter " + id + " was not started");
        }
        return child;
    }

    void kill() {
        child().kill();
    }

    void freeze() {
        child().signal("STOP");
    }

    void thaw() {
        child().signal("CONT");
    }

    /** Takes a backup of its folder, as of a disk, for which it is killed and started again. */
    Runnable backUp() {
        Path backup = data.resolveSibling(data.getFileName() + ".backup");
        copy(data, backup);
        return () -> copy(backup, data);
    }

    private void copy(Path from, Path to) {
        kill();
        try {
            if (Files.exists(to)) {
                Voters.delete(to);
            }
            try (Stream<Path> files = Files.walk(from)) {
                for (Path file : files.toList()) {
                    Files.copy(file, to.resolve(from.relativize(file).toString()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start();
    }

    @Override
    public void close() {
        if (child != null) {
            child.close();
        }
    }

    static String text(Map<String, Address> voters) {
        return voters.entrySet().stream()
                .map(voter -> voter.getKey() + "=" + voter.getValue())
                .collect(Collectors.joining(","));
    }

    static SortedMap<String, Address> parse(String text) {
        SortedMap<String, Address> voters = new TreeMap<>();
        Stream.of(text.split(",", -1)).forEach(voter -> {
            String[] parts = voter.split("=", 2);
            voters.put(parts[0], Address.parse(parts[1]));
        });
        return voters;
    }

    /** The process. */
    static final class Main {

        private static final Duration ELECTION = Duration.ofMillis(500);

        /** A voter that wants to lead, or takes itself for no leader, only after so long. */
        private static final Duration PATIENT = Duration.ofSeconds(60);

        private Main() {}

        public static void main(String[] arguments) throws InterruptedException {
            List<String> options = List.of(arguments).subList(3, arguments.length);
            Duration election = options.contains("--patient") ? PATIENT : ELECTION;
            VoterOptions voter = VoterOptions.of(arguments[0], parse(arguments[2]), Path.of(arguments[1]))
                    .joining(options.contains("--join"))
                    .witnessing(options.contains("--witness"))
                    .electing(election, election.multipliedBy(2));
            int tls = options.indexOf("--tls");
            if (tls >= 0) {
                voter = voter.withTls(new Tls(
                        Path.of(options.get(tls + 1)),
                        Optional.of(new Tls.Identity(Path.of(options.get(tls + 2)), Path.of(options.get(tls + 3)))),
                        options.contains("--mutual")));
            }
            try {
                Voter running = TunedVoter.start(voter, options);
                Runtime.getRuntime().addShutdownHook(new Thread(running::close));
                System.out.println("listens");
                CompletableFuture.anyOf(running.begun(), running.ended()).join();
                System.out.println("started");
                System.out.println("ended: " + running.ended().join());
                running.close();
                System.exit(3);
            } catch (VoterException e) {
                System.out.println("refused: " + e.getMessage());
                System.exit(1);
            } catch (CompletionException e) {
                System.out.println("refused: " + e.getCause().getMessage());
                System.exit(2);
            }
        }
    }
}
