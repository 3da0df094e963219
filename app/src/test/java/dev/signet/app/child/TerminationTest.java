package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How signet ends a command: TERM to all, KILL after a while. */
@Tag("process")
class TerminationTest {
    private static final String POLITE =
            "trap 'echo bye; exit 9' TERM; trap 'echo interrupted' INT; echo ready;" + " while :; do sleep 0.05; done";
    private static final String STUBBORN =
            "trap '' TERM; (while :; do sleep 0.1; done) & echo ready; while :; do sleep 0.1; done";

    @TempDir
    Path folder;

    @Test
    void politeCommandEndsByItselfAndKeepsItsExitCode() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, POLITE)) {
            ready(parent);
            parent.order("terminate-10000");
            assertThat(parent.exitCode()).isEqualTo(9);
            assertThat(parent.out()).isEqualTo("ready\nbye\n");
            assertThat(parent.line("ended ")).endsWith("ended 9 SIGNET 0 true");
        }
    }

    @Test
    void commandThatDoesNotMindTermIs143() throws Exception {
        try (ParentProcess parent = ParentProcess.of(folder, "sleep", "100")) {
            parent.line("renewed");
            parent.order("terminate-10000");
            assertThat(parent.exitCode()).isEqualTo(143);
        }
    }

    @Test
    void stubbornGroupIsKilledWhenItsTimeIsOverAndNotBefore() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, STUBBORN)) {
            ready(parent);
            BootInstant before = parent.now();
            parent.order("terminate-700");
            Duration gone = parent.until(parent::gone, "the end of the group").since(before);
            assertThat(gone).isGreaterThanOrEqualTo(Duration.ofMillis(690));
            assertThat(parent.exitCode()).isEqualTo(137);
            assertThat(parent.line("ended ")).endsWith("ended 137 SIGNET 0 true");
        }
    }

    @Test
    void killAsksNobody() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, STUBBORN)) {
            ready(parent);
            BootInstant before = parent.now();
            parent.order("kill");
            Duration gone = parent.until(parent::gone, "the end of the group").since(before);
            System.out.println("kill() to group gone: " + gone);
            assertThat(parent.exitCode()).isEqualTo(137);
        }
    }

    @Test
    void groupStoppedByTheGuardStillHearsTheTermOfAnAwakeSignet() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, ParentProcess.Pace.SOON_STOPPED, POLITE)) {
            ready(parent);
            parent.hold();
            parent.until(parent::stopped, "a stopped group");
            parent.order("terminate-10000");
            assertThat(parent.exitCode()).isEqualTo(9);
            assertThat(parent.out()).contains("bye");
        }
    }

    @Test
    void drainingGroupIsNotStoppedAnyMoreButKilledBeforeTheLeaseEnds() throws Exception {
        ParentProcess.Pace pace = ParentProcess.Pace.SOON_KILLED;
        try (ParentProcess parent = ParentProcess.ofScript(folder, pace, STUBBORN)) {
            ready(parent);
            parent.order("terminate-60000");
            parent.line("obeyed terminate");
            BootInstant renewed = parent.hold();
            // one that was stopped before the order goes on first
            parent.until(parent::running, "a group that runs");
            Duration gone = parent.until(
                            () -> {
                                assertThat(parent.stopped())
                                        .as("stopped although it drains")
                                        .isFalse();
                                return parent.gone();
                            },
                            "the end of the group")
                    .since(renewed);
            assertThat(gone).isGreaterThanOrEqualTo(pace.budget().killAfter());
            assertThat(parent.line("ended ")).endsWith("ended 137 SIGNET 0 true");
        }
    }

    @Test
    void signetTerminatedEndsTheCommandFirst() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, POLITE)) {
            ready(parent);
            ParentProcess.signal("TERM", parent.pid());
            assertThat(parent.exitCode()).isEqualTo(143);
            assertThat(parent.gone()).isTrue();
            assertThat(parent.out()).isEqualTo("ready\nbye\n");
        }
    }

    @Test
    void interruptOfTheTerminalReachesOnlySignet() throws Exception {
        // as from a terminal: INT to the whole process group in the foreground, which setsid makes here
        try (ParentProcess parent = new ParentProcess(
                folder, ParentProcess.Pace.RELAXED, List.of("setsid"), List.of(), "sh", "-c", POLITE)) {
            ready(parent);
            ParentProcess.signal("INT", -parent.pid());
            parent.line("signalled");
            assertThat(parent.exitCode()).isEqualTo(143);
            assertThat(parent.out()).isEqualTo("ready\nbye\n");
            assertThat(parent.find("lost")).isEmpty();
        }
    }

    private static void ready(ParentProcess parent) {
        parent.line("renewed");
        parent.until(() -> parent.hasWritten("ready"), "the command's first words");
    }
}
