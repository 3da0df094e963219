package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.OpenSession;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import dev.signet.store.quorum.QuorumStore;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A voter whose disk is full: a small file system of its own, for which the test has to be root. */
@Tag("process")
final class FullDiskTest {
    private static final Duration ASK = Duration.ofSeconds(10);
    private static final int TAKES_PART_NO_MORE = 1;
    private static final int BEFORE = 10;
    private static final int MANY = 20_000;

    @TempDir
    Path folder;

    private Terminal terminal;
    private Path disk;

    @BeforeEach
    void mount() throws IOException, InterruptedException {
        terminal = new Terminal(folder);
        disk = Files.createDirectory(folder.resolve("voter-1"));
        run("mount", "-t", "tmpfs", "-o", "size=2m", "signet-test", disk.toString());
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        terminal.close();
        run("umount", disk.toString());
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(String.join(" ", command)).isZero();
    }

    @Test
    void theVoterSaysSoAndEndsAndNothingThatItAcknowledgedIsLost() throws Exception {
        VoterGroup voters = new VoterGroup(terminal, 1).startAll();
        Map<Role, Long> acknowledged;
        try (QuorumStore store = QuorumStore.open(voters.options(), Namespace.DEFAULT)) {
            acknowledged = takeUntilItFails(store, open(store));
        }
        SignetProcess full = voters.voter(1);
        assertThat(full.exitCode()).as(full.err()).isEqualTo(TAKES_PART_NO_MORE);
        assertThat(full.err()).contains("takes part no more: the log cannot be written: No space left on device");

        Files.delete(disk.resolve("filler"));
        voters.start(1);
        voters.awaitLeader(0);

        try (QuorumStore store = QuorumStore.open(voters.options(), Namespace.DEFAULT)) {
            assertThat(acknowledged).isNotEmpty();
            acknowledged.forEach((role, token) ->
                    assertThat(read(store, role).lastToken()).as(role.name()).isEqualTo(token));
        }
    }

    private void fill() throws IOException {
        byte[] block = new byte[4_096];
        try (OutputStream filler = Files.newOutputStream(disk.resolve("filler"))) {
            while (true) {
                filler.write(block);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    private static SessionId open(QuorumStore store) {
        SessionId session = SessionId.random();
        CandidateId candidate = CandidateId.incarnationOf("ada");
        var opened = store.open(new OpenSession(session, candidate, Advertised.NOTHING, Duration.ofMinutes(5)), ASK)
                .toCompletableFuture()
                .join();
        assertThat(opened).isInstanceOf(Answer.Done.class);
        return session;
    }

    private Map<Role, Long> takeUntilItFails(QuorumStore store, SessionId session) throws IOException {
        Map<Role, Long> acknowledged = new TreeMap<>();
        for (int i = 0; i < MANY; i++) {
            if (i == BEFORE) {
                fill();
            }
            Role role = Role.of("role-" + i);
            Answer<Grant, ?> answer = store.acquire(new Acquire(session, role, 1, TermId.random(), 0, 0), ASK)
                    .toCompletableFuture()
                    .join();
            if (!(answer instanceof Answer.Done<Grant, ?> done)) {
                return acknowledged;
            }
            acknowledged.put(role, done.value().token().value());
        }
        throw new AssertionError("the disk does not become full");
    }

    private static RoleView read(QuorumStore store, Role role) {
        return store.read(role, ASK)
                .toCompletableFuture()
                .join()
                .fold(
                        view -> view,
                        refused -> {
                            throw new AssertionError(refused);
                        },
                        unknown -> {
                            throw new AssertionError(unknown.cause());
                        });
    }
}
