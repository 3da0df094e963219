package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What is refused before campaigning: one line, the documented exit code, and nothing half-done. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("starts of many JVMs")
final class RefusalTest {
    @TempDir
    Path folder;

    private Terminal terminal;

    @BeforeEach
    void open() {
        terminal = new Terminal(folder);
    }

    @AfterEach
    void close() {
        terminal.close();
    }

    @Test
    void commandThatIsNotThereOrCannotBeExecuted() throws IOException {
        assertRefused(127, "no-such-command", terminal.run("missing", "no-such-command"));
        Files.writeString(folder.resolve("plain"), "text");
        assertRefused(126, "permission denied", terminal.run("plain", "./plain"));
        assertThat(terminal.store()).doesNotExist();
    }

    @Test
    void usage() throws IOException {
        assertRefused(64, "--unfenced", terminal.signet("none", Map.of(), "run", "--role", "r", "--", "true"));
        assertRefused(64, "command", terminal.run("no-command"));
        assertRefused(64, "87.5", terminal.run("tight", List.of("--renew-deadline", "14s"), "true"));
        assertThat(terminal.store()).doesNotExist();
    }

    @Test
    void fenceThatIsNotInitialised() throws IOException {
        Shell.text(folder, "sqlite3 ledger.db 'CREATE TABLE t (a)'");
        SignetProcess run = fenced("run", List.of(), "sqlite:ledger.db#ledger");
        assertRefused(78, "signet fence init --role nightly --store", run);
        assertRefused(78, "no-such.db", fenced("absent", List.of(), "sqlite:no-such.db#ledger"));
        assertThat(folder.resolve("no-such.db")).doesNotExist();
    }

    @Test
    void resourceInTheStoresOwnFile() throws IOException {
        assertThat(terminal.signet("init", Map.of(), "init", "--store", "local:one.db")
                        .exitCode())
                .isZero();
        Files.createSymbolicLink(folder.resolve("other-name.db"), folder.resolve("one.db"));
        SignetProcess run = fenced("run", List.of("--store", "local:one.db"), "sqlite:other-name.db#ledger");
        assertRefused(78, "two files", run);
    }

    @Test
    void storeThatIsNotThereOrIsSomethingElse() throws IOException {
        assertRefused(
                78, "signet init", terminal.run("absent", List.of("--store", "local:named.db"), "touch", "never"));
        assertThat(folder.resolve("named.db")).doesNotExist();
        Files.writeString(folder.resolve("text.db"), "this is no database, and long enough to be looked at".repeat(20));
        assertRefused(78, "text.db", terminal.run("text", List.of("--store", "local:text.db"), "touch", "never"));
    }

    @Test
    void storeThatDoesNotAnswer() throws IOException {
        assertThat(terminal.run("first", "true").exitCode()).isZero();
        terminal.lockStore();
        assertRefused(69, "did not answer within 10 s", terminal.run("run", "touch", "never"));
    }

    private SignetProcess fenced(String name, List<String> options, String resource) throws IOException {
        return terminal.signet(
                name,
                Map.of(),
                Stream.of(
                                List.of("run", "--role", "nightly", "--protect", resource),
                                options,
                                List.of("--", "touch", "never"))
                        .flatMap(List::stream)
                        .toArray(String[]::new));
    }

    private void assertRefused(int exitCode, String words, SignetProcess run) {
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        String last = run.err().lines().reduce("", (one, next) -> next);
        assertThat(last).startsWith("signet: ").contains(words);
        assertThat(run.err()).doesNotContain("\tat ").doesNotContain("campaigning");
        assertThat(run.out()).isEmpty();
        assertThat(terminal.exists("never")).isFalse();
    }
}
