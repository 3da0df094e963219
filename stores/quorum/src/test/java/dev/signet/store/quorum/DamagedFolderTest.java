package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.quorum.state.Reply;
import dev.signet.testkit.JavaChild;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a disk did to a voter's folder is said at its start, with the file and the remedy; and it does not start. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class DamagedFolderTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final int COMMANDS = 60;
    private static final String[] SMALL = {"--snapshot-every=20", "--segment=2000"};

    private final Voters voters = Voters.prepare(1);
    private final VoterProcess voter = voters.get(0);

    /** Snapshots, and a log that begins after them. */
    @BeforeEach
    void fill() throws IOException {
        voter.start(SMALL);
        try (Direct line = new Direct(voter.address())) {
            for (int i = 0; i < COMMANDS; i++) {
                String candidate = "c" + i;
                assertThat(Trio.eventually(() -> line.told(Direct.open(candidate, LONG))))
                        .isInstanceOf(Reply.Opened.class);
            }
        }
        voter.kill();
        assertThat(snapshots()).hasSizeGreaterThan(1);
    }

    @AfterEach
    void close() {
        voters.close();
    }

    private List<Path> files(Predicate<String> name) throws IOException {
        try (Stream<Path> files = Files.walk(voter.data())) {
            return files.filter(file -> name.test(file.getFileName().toString()))
                    .sorted(Comparator.comparing(DamagedFolderTest::index))
                    .toList();
        }
    }

    private static long index(Path file) {
        String name = file.getFileName().toString().replaceAll("\\.md5$", "");
        return Long.parseLong(name.substring(name.lastIndexOf('_') + 1).replaceAll("[^0-9]", "0"));
    }

    private List<Path> snapshots() throws IOException {
        return files(name -> name.matches("snapshot\\.\\d+_\\d+"));
    }

    private Path newest() throws IOException {
        List<Path> all = snapshots();
        return all.get(all.size() - 1);
    }

    private Path openSegment() throws IOException {
        return files(name -> name.startsWith("log_inprogress_")).get(0);
    }

    private static void flip(Path file, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) at] ^= 0x10;
        Files.write(file, bytes);
    }

    private static void truncate(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    }

    private static Path digest(Path snapshot) {
        return Path.of(snapshot + ".md5");
    }

    private void assertRefused(String why) {
        JavaChild child = voter.begin(SMALL);
        String refusal = child.expect("refused: ");
        assertThat(refusal).contains(why).contains(voter.data().toString()).contains("signet quorum replace");
        assertThat(child.exitCode()).isEqualTo(1);
    }

    @Test
    void asItWasLeftItStarts() {
        voter.start(SMALL);
        try (Direct line = new Direct(voter.address())) {
            assertThat(Trio.eventually(() -> line.told(Direct.held("c1")))).isInstanceOf(Reply.Holds.class);
        }
    }

    @Test
    void aSnapshotThatWasCutShort() throws IOException {
        truncate(newest());
        assertRefused(newest().toString());
    }

    @Test
    void aSnapshotWithABitTurnedOver() throws IOException {
        flip(newest(), Files.size(newest()) / 2);
        assertRefused(newest().toString());
    }

    /** An older one with its digest would do if the log did not begin after the newest. */
    @Test
    void aSnapshotWithoutItsDigest() throws IOException {
        Files.delete(digest(newest()));
        assertRefused(newest().toString());
    }

    @Test
    void aDigestThatIsNone() throws IOException {
        Files.writeString(digest(newest()), "nothing of the kind");
        assertRefused(newest().toString());
    }

    /** What they held is in no file any more. */
    @Test
    void snapshotsThatAreAllGone() throws IOException {
        for (Path file : files(name -> name.startsWith("snapshot."))) {
            Files.delete(file);
        }
        assertRefused("the log in " + voter.data());
    }

    @Test
    void aLogWithABitTurnedOver() throws IOException {
        flip(openSegment(), 60);
        assertRefused("a segment of the log is damaged");
    }

    @Test
    void aLogThatLostItsHead() throws IOException {
        flip(openSegment(), 2);
        assertRefused(openSegment().getFileName().toString());
    }

    /** So a crash may leave it. */
    @Test
    void aLogThatEndsInTheMiddleOfAnEntryIsReadUpToThere() throws IOException {
        Path log = openSegment();
        byte[] bytes = Files.readAllBytes(log);
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        Files.write(log, Arrays.copyOf(bytes, end - 3));
        voter.start(SMALL);
        try (Direct line = new Direct(voter.address())) {
            assertThat(Trio.eventually(() -> line.told(Direct.held("c1")))).isInstanceOf(Reply.Holds.class);
        }
    }
}
