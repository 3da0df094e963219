package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Namespace;
import dev.signet.store.Store;
import dev.signet.testkit.Crowd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three voters, one or all of which are killed, ended, stopped and started again in turn, while candidates contend. {@code
 * -Dsignet.soak.minutes=60} lets it run for longer than its five minutes, {@code -Dsignet.soak.seed=…} repeats what is done to the
 * voters, though not when.
 */
@Tag("process")
@Tag("slow")
class SoakTest {

    private static final int MINUTES = Integer.getInteger("signet.soak.minutes", 5);
    private static final long SEED = Long.getLong("signet.soak.seed", new Random().nextInt(1_000_000));

    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final int ENOUGH_A_MINUTE = 5;

    /** Whatever they would keep beyond what they need is too much for them within minutes. */
    private static final String HEAP = "JDK_JAVA_OPTIONS=-Xmx64m -XX:+ExitOnOutOfMemoryError";

    private static final String[] SMALL = {"--snapshot-every=500", "--segment=100000"};
    private static final long MOST_LOG_BYTES = 4_000_000;
    private static final int MOST_SNAPSHOTS = 4;

    private enum Harm {
        KILLED,
        ENDED,
        STOPPED,
        ALL_KILLED,
        ALL_STOPPED
    }

    private final Random random = new Random(SEED);
    private final Map<Harm, Integer> done = new EnumMap<>(Harm.class);
    private long mostLogBytes;
    private long mostSnapshots;

    @Test
    void whateverBefallsTheVotersNoPromiseIsBroken() throws InterruptedException {
        System.out.printf("soak: %d minutes, seed %d%n", MINUTES, SEED);
        Voters voters = Voters.prepare(3, voter -> List.of("env", HEAP));
        Queue<Store> clients = new ConcurrentLinkedQueue<>();
        try (Trio trio = Trio.of(voters, voter -> SMALL)) {
            QuorumStoreOptions options = QuorumStoreOptions.of(voters.addresses());
            long until = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();

            int grants = new Crowd(
                            () -> {
                                Store client = QuorumStore.open(options, Namespace.DEFAULT);
                                clients.add(client);
                                return client;
                            },
                            LEASE,
                            SEED)
                    .contend(() -> System.nanoTime() - until < 0, () -> harm(trio));

            System.out.printf(
                    "figure: soak of %d minutes, seed %d: %d grants; %s; at most %d bytes of log and %d snapshots%n",
                    MINUTES, SEED, grants, done, mostLogBytes, mostSnapshots);
            assertThat(grants).isGreaterThan(ENOUGH_A_MINUTE * MINUTES);
            assertThat(done.keySet()).containsExactlyInAnyOrder(Harm.values());
            Trio.eventually(() -> Optional.of(applied(trio)).filter(indices -> indices.size() == 1));
            voters.all().forEach(VoterProcess::kill);
            voters.all().forEach(SoakTest::assertNothingUnasked);
        } finally {
            clients.forEach(Store::close);
        }
    }

    private static Set<Long> applied(Trio trio) {
        return IntStream.range(0, 3)
                .mapToObj(voter -> trio.line(voter).status().appliedIndex())
                .collect(Collectors.toSet());
    }

    /** One of them, after a while in which there is none. */
    private void harm(Trio trio) {
        between(500, 4_000);
        Harm harm = Harm.values()[pick(random.nextInt(10))];
        List<VoterProcess> all = trio.voters().all();
        VoterProcess one = all.get(random.nextInt(all.size()));
        switch (harm) {
            case KILLED -> {
                one.kill();
                assertNothingUnasked(one);
                between(100, 6_000);
                one.start(SMALL);
            }
            case ENDED -> {
                one.child().signal("TERM");
                one.child().exitCode();
                between(100, 2_000);
                one.start(SMALL);
            }
            case STOPPED -> {
                one.freeze();
                between(100, 8_000);
                one.thaw();
            }
            case ALL_KILLED -> {
                all.forEach(VoterProcess::kill);
                all.forEach(SoakTest::assertNothingUnasked);
                all.forEach(voter -> voter.begin(SMALL));
                all.forEach(voter -> voter.child().expect("started"));
            }
            case ALL_STOPPED -> {
                all.forEach(VoterProcess::freeze);
                between(500, 7_000);
                all.forEach(VoterProcess::thaw);
            }
        }
        done.merge(harm, 1, Integer::sum);
        all.forEach(voter -> lookAt(voter.data()));
    }

    /** More often one than all of them. */
    private static int pick(int die) {
        return switch (die) {
            case 0 -> Harm.ALL_KILLED.ordinal();
            case 1 -> Harm.ALL_STOPPED.ordinal();
            case 2, 3 -> Harm.ENDED.ordinal();
            case 4, 5, 6 -> Harm.STOPPED.ordinal();
            default -> Harm.KILLED.ordinal();
        };
    }

    private void between(int leastMillis, int mostMillis) {
        Trio.pass(Duration.ofMillis(leastMillis + random.nextInt(mostMillis - leastMillis)));
    }

    /** It had not ended by itself, of whatever, nor for want of memory. */
    private static void assertNothingUnasked(VoterProcess killed) {
        assertThat(killed.child().rest())
                .noneMatch(line -> line.startsWith("ended: ") || line.contains("OutOfMemoryError"));
    }

    private void lookAt(Path data) {
        List<Path> files = files(data);
        long logBytes = files.stream()
                .filter(file -> name(file).startsWith("log_"))
                .mapToLong(file -> file.toFile().length())
                .sum();
        long snapshots = files.stream()
                .filter(file -> name(file).matches("snapshot\\.\\d+_\\d+"))
                .count();
        assertThat(logBytes).as("bytes of the log in %s", data).isLessThan(MOST_LOG_BYTES);
        assertThat(snapshots).as("snapshots in %s", data).isLessThanOrEqualTo(MOST_SNAPSHOTS);
        mostLogBytes = Math.max(mostLogBytes, logBytes);
        mostSnapshots = Math.max(mostSnapshots, snapshots);
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    /** Some of which go away while one looks. */
    private static List<Path> files(Path data) {
        return Trio.eventually(() -> {
            try (Stream<Path> files = Files.walk(data)) {
                return Optional.of(files.toList());
            } catch (UncheckedIOException | NoSuchFileException e) {
                return Optional.empty();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
