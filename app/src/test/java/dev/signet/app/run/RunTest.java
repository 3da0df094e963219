package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.run.SignetProcess.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * What goes into the command and comes out of it, and how a run ends by itself or is told to. One after the other: each starts JVMs, and
 * beside these run tests that count seconds.
 */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("starts of many JVMs")
final class RunTest {
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
    void exitCodeIsTheCommandsAndTheRoleIsReleasedAtOnce() throws IOException {
        SignetProcess first = terminal.run("first", "sh", "-c", "exit 7");
        assertThat(first.exitCode()).as(first.err()).isEqualTo(7);
        assertThat(terminal.isHeld()).as(first.err()).isFalse();
        assertThat(first.err())
                .contains("local:" + terminal.store())
                .contains("processes of this one host")
                .contains("unfenced");

        // killed by a signal: as a shell has it
        SignetProcess second = terminal.run("second", "sh", "-c", "kill -KILL $$");
        assertThat(second.exitCode()).as(second.err()).isEqualTo(128 + 9);
        assertThat(second.token()).isEqualTo(2);
    }

    @Test
    void stdinAndStdoutAreTheCommands() throws IOException {
        String text = "a line\nno newline at the end";
        Files.writeString(folder.resolve("run.in"), text);
        SignetProcess run = terminal.run("run", "cat");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo(text);
        assertThat(run.err()).contains("signet: leading role=nightly token=1 pid=");
    }

    @Test
    void commandGetsTheFiveVariablesAndNoOther() throws IOException {
        Map<String, String> given =
                Map.of("SIGNET_ID", "ada", "SIGNET_PASSWORD", "hunter2", "SIGNET_TOKEN", "99", "PASSED_ON", "yes");
        SignetProcess run = terminal.run("run", given, List.of(), "env");
        assertThat(run.exitCode()).as(run.err()).isZero();
        Map<String, String> found = run.out()
                .lines()
                .filter(line -> line.startsWith("SIGNET_") || line.startsWith("PASSED_ON"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf('=')), line -> line.substring(line.indexOf('=') + 1)));
        assertThat(found)
                .containsOnlyKeys(
                        "SIGNET_ROLE",
                        "SIGNET_TOKEN",
                        "SIGNET_TERM_ID",
                        "SIGNET_STORE_ID",
                        "SIGNET_CANDIDATE",
                        "PASSED_ON")
                .containsEntry("SIGNET_ROLE", "nightly")
                .containsEntry("SIGNET_TOKEN", "1")
                .containsEntry("SIGNET_STORE_ID", terminal.query("SELECT store_id FROM signet_store"));
        assertThat(found.get("SIGNET_TERM_ID")).matches("[0-9a-f]{32}");
        assertThat(run.err()).doesNotContain(found.get("SIGNET_TERM_ID")).doesNotContain("hunter2");
        assertThat(found.get("SIGNET_CANDIDATE")).matches("ada~[0-9a-f]+");

        SignetProcess again = terminal.run("again", given, List.of(), "sh", "-c", "echo $SIGNET_CANDIDATE");
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(again.out().strip()).startsWith("ada~").isNotEqualTo(found.get("SIGNET_CANDIDATE"));
    }

    @Test
    void termDrainsTheCommandFirstAndTheRoleAfter() throws IOException {
        assertDrains("TERM", 143);
    }

    @Test
    void intDrainsToo() throws IOException {
        assertDrains("INT", 130);
    }

    private void assertDrains(String signal, int exitCode) throws IOException {
        SignetProcess run = terminal.run(
                "run",
                List.of("--on-deposed", "echo $SIGNET_TOKEN > deposed"),
                "sh",
                "-c",
                "trap 'sleep 0.5; touch \"ended\"; exit 3' TERM; touch ready; while :; do sleep 0.1; done");
        terminal.read("ready");
        run.signal(signal);
        Wait.until(
                () -> {
                    boolean held = terminal.isHeld();
                    boolean over = terminal.exists("ended");
                    assertThat(held || over)
                            .as("held while the command lives\n%s", run.err())
                            .isTrue();
                    return over;
                },
                () -> "the command's own end");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        assertThat(terminal.read("deposed")).isEqualTo("1");
        assertThat(terminal.isHeld()).as(run.err()).isFalse();
        assertThat(run.out()).isEmpty();
    }

    @Test
    void commandThatHeedsNoTermIsKilledAfterTheTimeAskedFor() throws IOException {
        SignetProcess run = terminal.run(
                "run",
                List.of("--kill-after", "1s"),
                "sh",
                "-c",
                "trap '' TERM; touch ready; while :; do sleep 0.1; done");
        terminal.read("ready");
        long child = run.childPid();
        long began = System.nanoTime();
        run.signal("TERM");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(143);
        assertThat((System.nanoTime() - began) / 1e9).isBetween(1.0, 60.0);
        assertThat(Shell.lives(child)).isFalse();
        assertThat(terminal.isHeld()).as(run.err()).isFalse();
    }

    @Test
    void whoeverWaitsTakesOverAtOnceWhenTheOwnerIsToldToEnd() throws IOException {
        SignetProcess first = terminal.run("first", "sleep", "1000");
        first.awaitLeading(1);
        SignetProcess second = terminal.run("second", "sh", "-c", "exit 0");
        second.awaitErr("campaigning");
        first.signal("TERM");
        assertThat(second.exitCode()).as(second.err()).isZero();
        assertThat(second.token()).isEqualTo(2);
        assertThat(first.exitCode()).isEqualTo(143);
    }

    @Test
    void waitingCandidateEndsAtOnceWhenToldTo() throws IOException {
        SignetProcess first = terminal.run("first", "sleep", "1000");
        first.awaitLeading(1);
        SignetProcess second = terminal.run("second", "touch", "never");
        second.awaitErr("campaigning");
        second.signal("TERM");
        assertThat(second.exitCode()).as(second.err()).isEqualTo(143);
        assertThat(terminal.exists("never")).isFalse();
    }

    @Test
    void failedPreparationGivesTheRoleToOthersForAWhile() throws IOException {
        SignetProcess failing = terminal.run(
                "failing", List.of("--on-elected", "echo $SIGNET_TOKEN >> tried; exit 3"), "touch", "never");
        failing.awaitErr("--on-elected ended with exit code 3");
        SignetProcess other = terminal.run("other", "sh", "-c", "exit 0");
        assertThat(other.exitCode()).as(other.err()).isZero();
        assertThat(failing.isAlive()).isTrue();
        // it campaigns again, later each time
        Wait.until(() -> terminal.read("tried").lines().count() >= 2, () -> "a second try");
        assertThat(failing.err()).contains("does not campaign for role=nightly for");
        assertThat(terminal.exists("never")).isFalse();
    }

    @Test
    void preparationRunsBeforeTheCommandAndTidyingUpAfterIt() throws IOException {
        String note = "echo $SIGNET_TOKEN $(sqlite3 -readonly " + terminal.store()
                + " 'SELECT holder IS NOT NULL FROM signet_role') ";
        SignetProcess run = terminal.run(
                "run",
                List.of("--on-elected", note + "elected >> notes", "--on-deposed", note + "deposed >> notes; exit 5"),
                "sh",
                "-c",
                note + "command >> notes");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(terminal.read("notes").lines()).containsExactly("1 1 elected", "1 1 command", "1 1 deposed");
        assertThat(run.err()).contains("--on-deposed ended with exit code 5");
        assertThat(terminal.isHeld()).as(run.err()).isFalse();
    }

    @Test
    void bothHooksAreBounded() throws IOException {
        SignetProcess run = terminal.run(
                "run",
                List.of("--hook-timeout", "1s", "--kill-after", "200ms", "--on-deposed", "trap '' TERM; sleep 1000"),
                "sh",
                "-c",
                "exit 4");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
        assertThat(run.err()).contains("--on-deposed was ended");

        SignetProcess stuck =
                terminal.run("stuck", List.of("--hook-timeout", "1s", "--on-elected", "sleep 1000"), "touch", "never");
        stuck.awaitErr("--on-elected was ended");
        assertThat(terminal.exists("never")).isFalse();
    }
}
