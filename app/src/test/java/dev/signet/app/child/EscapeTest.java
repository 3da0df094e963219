package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that leave their group: which are found, and which are not. */
@Tag("process")
class EscapeTest {
    /**
     * Two that left: one with a session of its own; one in another group of the same session, as job control makes it, and without the
     * variable by which the first is found.
     */
    private static final String ESCAPING = "setsid sh -c 'trap \"\" TERM; while :; do sleep 0.1; done' &"
            + " env -i PATH=\"$PATH\" bash -c 'set -m; sleep 100 & wait' & echo ready; while :; do sleep 0.1; done";

    @TempDir
    Path folder;

    @Test
    void guardHuntsThoseThatLeftTheGroup() throws Exception {
        try (ParentProcess parent = escaped(ParentProcess.Pace.RELAXED)) {
            ParentProcess.signal("KILL", parent.pid());
            parent.until(parent::gone, "the end of all");
        }
    }

    @Test
    void guardStopsAndContinuesThemToo() throws Exception {
        try (ParentProcess parent = escaped(ParentProcess.Pace.SOON_STOPPED)) {
            ParentProcess.signal("STOP", parent.pid());
            parent.until(parent::stopped, "all stopped");
            ParentProcess.signal("CONT", parent.pid());
            parent.until(parent::running, "all running");
        }
    }

    @Test
    void commandHasNotEndedWhileOneOfThemLives() throws Exception {
        String script = "setsid sh -c 'trap \"\" TERM; echo ready; while :; do sleep 0.1; done' & sleep 0.5";
        try (ParentProcess parent = ParentProcess.ofScript(folder, script)) {
            assertThat(parent.exitCode()).isZero();
            assertThat(parent.gone()).isTrue();
        }
    }

    @Test
    void commandThatExecsAnotherIsStillTheLeaderOfItsGroup() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, "sleep 0.2; exec sh -c 'exec sleep 100'")) {
            parent.line("renewed");
            parent.until(() -> parent.members().size() == 1, "the exec");
            ParentProcess.signal("KILL", parent.pid());
            parent.until(parent::gone, "the end of all");
        }
    }

    /**
     * Eight that left, and become another program all the time. For a moment each time the kernel shows no environment of them; one
     * look in twenty did not find them.
     */
    private String restless() throws Exception {
        Path script = folder.resolve("restless.sh");
        Files.writeString(script, "exec sh " + script + "\n");
        return "for i in 1 2 3 4 5 6 7 8; do setsid sh " + script + " & echo $! >> " + folder + "/pids; done; ";
    }

    private List<Long> restlessAlive() throws Exception {
        return Files.readAllLines(folder.resolve("pids")).stream()
                .map(Long::parseLong)
                .filter(pid -> ProcessTable.find(pid).filter(ProcessStat::lives).isPresent())
                .toList();
    }

    @Test
    void guardFindsThoseThatBecomeAnotherProgramAllTheTime() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, restless() + "echo ready; sleep 100")) {
            parent.line("renewed");
            parent.until(() -> parent.hasWritten("ready"), "eight");
            ParentProcess.signal("KILL", parent.pid());
            parent.until(
                    () -> ProcessTable.find(parent.guardPid())
                            .filter(ProcessStat::lives)
                            .isEmpty(),
                    "the end of the guard");
            assertThat(restlessAlive()).isEmpty();
        } finally {
            restlessAlive().forEach(pid -> ParentProcess.signal("KILL", pid));
        }
    }

    @Test
    void commandHasNotEndedWhileOneOfTheseLives() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, restless() + "sleep 0.5")) {
            assertThat(parent.exitCode()).isZero();
            assertThat(restlessAlive()).isEmpty();
        } finally {
            restlessAlive().forEach(pid -> ParentProcess.signal("KILL", pid));
        }
    }

    /** The limit. Were this test to fail, the documentation of {@link ProcessGroup} could promise more. */
    @Test
    void ownSessionAndOwnEnvironmentTogetherEscape() throws Exception {
        Path pidFile = folder.resolve("pid");
        String script = "env -i setsid sh -c 'echo $$ >" + pidFile + "; exec sleep 100' & until [ -s " + pidFile
                + " ]; do sleep 0.1; done";
        try (ParentProcess parent = ParentProcess.ofScript(folder, script)) {
            assertThat(parent.exitCode()).isZero();
            assertThat(parent.gone()).isTrue();
            long escaped = Long.parseLong(Files.readString(pidFile).trim());
            assertThat(ProcessTable.find(escaped)).get().matches(ProcessStat::lives);
            ParentProcess.signal("KILL", escaped);
        }
    }

    @Test
    void numberTakenByAnotherGroupIsNotSignalled() throws Exception {
        Process other = new ProcessBuilder("setsid", "sleep", "100").start();
        try {
            long started = ProcessTable.find(other.pid()).orElseThrow().started();
            ProcessGroup former = new ProcessGroup(other.pid(), started - 1, "SIGNET_TERM_ID=none", "/bin/sh");
            former.signal(Signal.KILL);
            assertThat(former.living()).isEmpty();
            assertThat(other.waitFor(300, java.util.concurrent.TimeUnit.MILLISECONDS))
                    .isFalse();
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    private ParentProcess escaped(ParentProcess.Pace pace) throws Exception {
        ParentProcess parent = ParentProcess.ofScript(folder, pace, ESCAPING);
        parent.line("renewed");
        parent.until(
                () -> parent.members().stream()
                                .filter(one -> one.group() != parent.childPid())
                                .count()
                        >= 3,
                "escaped processes");
        parent.always(() -> !parent.gone(), Duration.ofMillis(100), "they live");
        return parent;
    }
}
