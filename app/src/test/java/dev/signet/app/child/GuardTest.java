package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the guard does when signet cannot: signet is killed, stopped, or loses its guard. Nothing here depends on how fast this host is; at which
 * moment the guard acts is shown in {@code GuardDeadlineTest}.
 */
@Tag("process")
class GuardTest {
    /** Deaf to TERM, and with a child, and a grandchild that are too. */
    private static final String STUBBORN =
            "trap '' TERM; sh -c 'sh -c \"while :; do sleep 0.1; done\" & while :; do sleep 0.1; done' &"
                    + " while :; do sleep 0.1; done";

    @TempDir
    Path folder;

    @Test
    void signetKilledMeansGroupKilledAtOnce() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, STUBBORN)) {
            parent.until(() -> parent.members().size() >= 3, "a whole group");
            BootInstant before = parent.now();
            ParentProcess.signal("KILL", parent.pid());
            Duration gone = parent.until(parent::gone, "the end of the group").since(before);
            System.out.println("kill -9 of signet to group gone: " + gone);
            parent.until(() -> contains(parent, "signet is gone"), "the guard's words");
        }
    }

    @Test
    void pausedSignetMeansStoppedAtTheDeadlineAndKilledAtTheNext() throws Exception {
        ParentProcess.Pace pace = ParentProcess.Pace.SOON_KILLED;
        try (ParentProcess parent = ParentProcess.ofScript(folder, pace, STUBBORN)) {
            BootInstant renewed = parent.hold();
            ParentProcess.signal("STOP", parent.pid());
            Duration stopped = parent.until(parent::stopped, "a stopped group").since(renewed);
            Duration gone = parent.until(parent::gone, "the end of the group").since(renewed);
            System.out.println("paused signet: stopped after " + stopped + ", gone after " + gone);
            assertThat(stopped).isGreaterThanOrEqualTo(pace.budget().stopAfter());
            assertThat(gone).isGreaterThanOrEqualTo(pace.budget().killAfter());
            ParentProcess.signal("CONT", parent.pid());
            assertThat(parent.exitCode()).isEqualTo(137);
            assertThat(parent.line("ended ")).contains(" 137 GUARD 0 true");
            assertThat(parent.find("lost")).isEmpty();
            parent.until(() -> contains(parent, "did not renew in time"), "the guard's words");
        }
    }

    @Test
    void resumedTermContinuesItsGroup() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, ParentProcess.Pace.SOON_STOPPED, STUBBORN)) {
            parent.until(() -> parent.members().size() >= 3, "a whole group");
            ParentProcess.signal("STOP", parent.pid());
            parent.until(parent::stopped, "a stopped group");
            ParentProcess.signal("CONT", parent.pid());
            parent.until(parent::running, "a group that goes on");
            parent.anotherRenewal();
            assertThat(parent.find("ended")).isEmpty();
        }
    }

    @Test
    void suspendedTermIsStoppedUntilTheNextRenewal() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, STUBBORN)) {
            parent.until(() -> parent.members().size() >= 3, "a whole group");
            parent.hold();
            parent.order("suspend");
            parent.until(parent::stopped, "a stopped group");
            parent.order("renew");
            parent.until(parent::running, "a group that goes on");
        }
    }

    @Test
    void lostGuardIsReportedAndTheGroupIsKilled() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, STUBBORN)) {
            parent.until(() -> parent.members().size() >= 3, "a whole group");
            BootInstant before = parent.now();
            ParentProcess.signal("KILL", parent.guardPid());
            parent.line("lost ");
            Duration gone = parent.until(parent::gone, "the end of the group").since(before);
            System.out.println("guard killed to group gone: " + gone);
            assertThat(parent.exitCode()).isEqualTo(137);
            assertThat(parent.line("ended ")).contains(" 137 LOST_GUARD 0 true");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void eachPartOfTheGuardIsMissed(int part) throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, STUBBORN)) {
            parent.until(() -> parent.members().size() >= 3, "a whole group");
            List<Long> shells = new ArrayList<>(parent.guardParts());
            // what comes and goes with each poll is none of them
            parent.until(
                    () -> {
                        shells.retainAll(parent.guardParts());
                        return shells.size() <= 4;
                    },
                    "those that stay");
            assertThat(shells).hasSize(4);
            BootInstant before = parent.now();
            ParentProcess.signal("KILL", shells.get(part));
            Duration gone = parent.until(parent::gone, "the end of the group").since(before);
            System.out.println("part " + part + " of the guard killed to group gone: " + gone);
            assertThat(parent.exitCode()).isEqualTo(137);
            parent.line("lost ");
            assertThat(parent.line("ended ")).contains(" 137 LOST_GUARD 0 true");
        }
    }

    @Test
    void stoppedGuardIsMissed() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, STUBBORN)) {
            parent.until(() -> parent.members().size() >= 3, "a whole group");
            long[] parts = parent.guardParts().stream().mapToLong(pid -> pid).toArray();
            ParentProcess.signal("STOP", parts);
            parent.line("lost ");
            parent.until(parent::gone, "the end of the group");
            ParentProcess.signal("KILL", parts);
        }
    }

    /** The limit. Were this test to fail, the documentation of {@link GuardedChild} could promise more. */
    @Test
    void signetAndItsGuardKilledInOneStrokeLeaveTheCommand() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, STUBBORN)) {
            parent.until(() -> parent.members().size() >= 3, "a whole group");
            long[] parts = parent.guardParts().stream().mapToLong(pid -> pid).toArray();
            ParentProcess.signal("STOP", parts);
            ParentProcess.signal("KILL", parent.pid());
            ParentProcess.signal("KILL", parts);
            parent.until(() -> parent.guardParts().isEmpty(), "the end of the guard");
            // nobody is left who could end it
            parent.always(parent::running, Duration.ofMillis(200), "the group runs");
            ParentProcess.signal(
                    "KILL",
                    parent.members().stream().mapToLong(ProcessStat::pid).toArray());
            parent.until(parent::gone, "the end of the group");
        }
    }

    @Test
    void guardIsDeafToWhatTerminalsSend() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, STUBBORN)) {
            parent.line("renewed");
            long[] parts = parent.guardParts().stream().mapToLong(pid -> pid).toArray();
            for (String signal : List.of("INT", "TERM", "HUP", "TSTP", "QUIT")) {
                ParentProcess.signal(signal, parts);
            }
            parent.hold();
            parent.order("suspend");
            parent.until(parent::stopped, "a guard that still obeys");
            assertThat(parent.find("lost")).isEmpty();
            ParentProcess.signal("KILL", parent.pid());
            parent.until(parent::gone, "the end of the group");
        }
    }

    private static boolean contains(ParentProcess parent, String words) {
        try {
            return parent.err().contains(words);
        } catch (IOException e) {
            return false;
        }
    }
}
