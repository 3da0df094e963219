package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.quorum.voter.Voter;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLogBase;
import org.apache.ratis.util.Timestamp;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Nothing that a voter decides hangs on the time of day, so that a clock that is put right, or wrong, changes nothing: neither Signet's
 * part of it nor Raft's asks for it. A gate on the names in the class files, since no test can set the clock of its machine.
 */
@Tag("build")
class WallClockTest {

    private static final List<String> WALL_CLOCKS = List.of(
            "currentTimeMillis",
            "java/time/Instant",
            "java/time/Clock",
            "java/time/LocalDate",
            "java/time/ZonedDateTime",
            "java/time/OffsetDateTime",
            "java/util/Date",
            "java/util/Calendar");

    /** They print it, for people who read logs. */
    private static final List<String> PRINTERS =
            List.of("/org/apache/ratis/util/JavaUtils.class", "/org/apache/ratis/util/StringUtils.class");

    /** A planted fault. */
    private static final class Planted {
        long now() {
            return System.currentTimeMillis();
        }
    }

    @Test
    void aVoterReadsNone() throws Exception {
        assertThat(readers(Voter.class)).isEmpty();
    }

    @Test
    void raftReadsNoneToDecideAnything() throws Exception {
        for (Class<?> of : List.of(RaftServer.class, RaftLogBase.class, Timestamp.class, GrpcConfigKeys.class)) {
            assertThat(readers(of).keySet()).isSubsetOf(PRINTERS);
        }
    }

    @Test
    void whoReadsOneIsFound() throws Exception {
        assertThat(new Planted().now()).isPositive();
        assertThat(readers(WallClockTest.class))
                .containsEntry("/" + Planted.class.getName().replace('.', '/') + ".class", "currentTimeMillis");
    }

    /** Classes that come from where this one does, and which wall clock each names. */
    private static Map<String, String> readers(Class<?> one) throws IOException, URISyntaxException {
        URI from = one.getProtectionDomain().getCodeSource().getLocation().toURI();
        if (Files.isDirectory(Path.of(from))) {
            return readers(Path.of(from));
        }
        try (FileSystem jar = FileSystems.newFileSystem(Path.of(from))) {
            return readers(jar.getPath("/"));
        }
    }

    private static Map<String, String> readers(Path root) throws IOException {
        List<Path> classes = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(file -> file.toString().endsWith(".class")).forEach(classes::add);
        }
        assertThat(classes).hasSizeGreaterThan(20);
        Map<String, String> readers = new TreeMap<>();
        for (Path file : classes) {
            String names = Files.readString(file, StandardCharsets.ISO_8859_1);
            WALL_CLOCKS.stream()
                    .filter(names::contains)
                    .findFirst()
                    .ifPresent(clock -> readers.put("/" + root.relativize(file), clock));
        }
        return readers;
    }
}
