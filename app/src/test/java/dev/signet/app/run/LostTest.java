package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.child.BootClock;
import dev.signet.app.run.SignetProcess.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What becomes of the command when leadership is lost while signet is awake: with a store that cannot be written, and with a lease of 6 s. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
final class LostTest {
    private static final List<String> TIMING =
            List.of("--lease-duration", "6s", "--renew-deadline", "4s", "--retry-period", "1s");

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
    void commandGetsTermAtTheDeadlineAndTheRunEndsWith75() throws IOException {
        SignetProcess run =
                run(List.of(), "trap 'touch asked; exit 0' TERM; touch ready; while :; do sleep 0.05; done");
        terminal.lockStore();
        long leaseEnd = terminal.leaseEndsAtNanos();
        assertGoneBefore(leaseEnd, run.childPid());
        assertThat(run.exitCode()).as(run.err()).isEqualTo(75);
        assertThat(terminal.exists("asked")).as("it was asked to end").isTrue();
        assertThat(run.err()).contains("RENEW_DEADLINE");
    }

    @Test
    void commandThatIgnoresTermIsGoneBeforeTheLeaseEnds() throws IOException {
        SignetProcess run = run(List.of(), "trap '' TERM; touch ready; while :; do sleep 0.05; done");
        terminal.lockStore();
        assertGoneBefore(terminal.leaseEndsAtNanos(), run.childPid());
        assertThat(run.exitCode()).as(run.err()).isEqualTo(75);
    }

    @Test
    void whatTheCommandForkedIsGoneBeforeTheLeaseEnds() throws IOException {
        SignetProcess run = run(
                List.of(),
                "trap '' TERM; sleep 1000 & echo $! > pids; (sleep 1000 & echo $! >> pids); setsid sleep 1000 & echo $! >> pids;"
                        + " touch ready; wait");
        List<Long> pids =
                new ArrayList<>(terminal.read("pids").lines().map(Long::valueOf).toList());
        assertThat(pids).hasSize(3).allMatch(Shell::lives);
        pids.add(run.childPid());
        terminal.lockStore();
        assertGoneBefore(
                terminal.leaseEndsAtNanos(), pids.stream().mapToLong(pid -> pid).toArray());
        assertThat(run.exitCode()).as(run.err()).isEqualTo(75);
    }

    @Test
    void itIsKilledAtOnceWhenTheStoreSaysLost() throws IOException {
        SignetProcess run =
                run(List.of(), "trap 'touch asked; exit 0' TERM; touch ready; while :; do sleep 0.05; done");
        Shell.text(folder, "sqlite3 -cmd '.timeout 5000' " + terminal.store() + " 'DELETE FROM signet_session'");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(75);
        assertThat(Shell.lives(run.childPid())).isFalse();
        assertThat(terminal.exists("asked")).as("it was asked to end").isFalse();
        assertThat(run.err()).contains("SESSION_GONE");
    }

    @Test
    void restartCampaignsAgain() throws IOException {
        SignetProcess run = run(List.of("--on-lost", "restart"), "touch ready; echo $SIGNET_TOKEN; exec sleep 1000");
        terminal.lockStore();
        assertGoneBefore(terminal.leaseEndsAtNanos(), run.childPid());
        terminal.unlockStore();
        run.awaitLeading(2);
        Wait.until(() -> run.out().equals("1\n2\n"), () -> "the second start; there is " + run.out());
    }

    @Test
    void whoeverLosesItsGuardGivesTheRoleUp() throws IOException {
        SignetProcess run = run(List.of(), "touch ready; exec sleep 1000");
        Shell.text(folder, "kill -9 " + terminal.guardPid(run));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(75);
        assertThat(Shell.lives(run.childPid())).isFalse();
        assertThat(run.err()).contains("guard");
        assertThat(terminal.isHeld()).isFalse();
    }

    @Test
    void whoeverIsToldToEndWhileItTidiesUpAfterALossStillReleases() throws IOException {
        SignetProcess run = run(List.of("--on-deposed", "touch tidying; sleep 1"), "touch ready; exec sleep 1000");
        Shell.text(folder, "kill -9 " + terminal.guardPid(run));
        terminal.read("tidying");
        run.signal("TERM");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(143);
        assertThat(terminal.isHeld()).as(run.err()).isFalse();
    }

    private SignetProcess run(List<String> options, String script) throws IOException {
        List<String> all = new ArrayList<>(TIMING);
        all.addAll(options);
        SignetProcess run = terminal.run("run", all, "sh", "-c", script);
        run.awaitLeading(1);
        terminal.read("ready");
        return run;
    }

    private static void assertGoneBefore(long leaseEndNanos, long... pids) {
        Wait.until(() -> Arrays.stream(pids).noneMatch(Shell::lives), () -> "the end of " + Arrays.toString(pids));
        long left = leaseEndNanos - BootClock.ofHost().now().hundredths() * 10_000_000L;
        assertThat(left / 1e9)
                .as("seconds left of the lease when nothing of the command lives")
                .isPositive();
    }
}
