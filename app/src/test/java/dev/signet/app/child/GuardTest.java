package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the guard does when signet cannot: signet is killed, stopped, or loses its guard. Scaled times: lease 3 s, deadline 2 s, renewed every
 * 0.4 s; so stopped 2 s and killed 2.6 s after the last renewal.
 */
@Tag("process")
class GuardTest {
    /** Deaf to TERM, and with a child, and a grandchild that are too. */
    private static final String STUBBORN =
            "trap '' TERM; sh -c 'sh -c \"while :; do sleep 0.1; done\" & while :; do sleep 0.1; done' &"
                    + " while :; do sleep 0.1; done";

    private static final Duration STOP_AFTER = Duration.ofMillis(2000);
    private static final Duration KILL_AFTER = Duration.ofMillis(2600);

    @TempDir
    Path folder;

    @Test
    void signetKilledMeansGroupKilledAtOnce() throws Exception {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            try (ParentProcess parent = ParentProcess.ofScript(folder.resolve("run" + i), STUBBORN)) {
                parent.line("renewed");
                parent.until(() -> parent.members().size() >= 3, "a whole group");
                BootInstant before = parent.now();
                ParentProcess.signal("KILL", parent.pid());
                times.add(parent.until(parent::gone, "the end of the group").since(before));
                parent.until(() -> contains(parent, "signet is gone"), "the guard's words");
            }
        }
        Collections.sort(times);
        System.out.println("kill -9 of signet to group gone: median " + times.get(2) + " of " + times);
        assertThat(times.get(2)).isLessThan(Duration.ofMillis(1000));
    }

    @Test
    void pausedSignetMeansStoppedAtTheDeadlineAndKilledBeforeTheLeaseEnds() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, STUBBORN)) {
            parent.until(() -> parent.members().size() >= 3, "a whole group");
            parent.justAfterRenewal();
            ParentProcess.signal("STOP", parent.pid());
            BootInstant renewed = parent.lastRenewal();
            Duration stopped = parent.until(parent::stopped, "a stopped group").since(renewed);
            Duration gone = parent.until(parent::gone, "the end of the group").since(renewed);
            System.out.println("paused signet: stopped after " + stopped + ", gone after " + gone);
            assertThat(stopped).isBetween(STOP_AFTER.minusMillis(50), KILL_AFTER);
            assertThat(gone).isBetween(KILL_AFTER.minusMillis(50), Duration.ofMillis(ParentProcess.LEASE));
            ParentProcess.signal("CONT", parent.pid());
            assertThat(parent.exitCode()).isEqualTo(137);
            assertThat(parent.line("ended ")).contains(" 137 GUARD 0 true");
            assertThat(parent.find("lost")).isEmpty();
            parent.until(() -> contains(parent, "did not renew in time"), "the guard's words");
        }
    }

    @Test
    void resumedTermContinuesItsGroup() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, STUBBORN)) {
            parent.until(() -> parent.members().size() >= 3, "a whole group");
            parent.justAfterRenewal();
            ParentProcess.signal("STOP", parent.pid());
            parent.until(parent::stopped, "a stopped group");
            ParentProcess.signal("CONT", parent.pid());
            parent.until(parent::running, "a group that goes on");
            parent.always(parent::running, Duration.ofMillis(2800), "the group runs on");
            assertThat(parent.find("ended")).isEmpty();
        }
    }

    @Test
    void renewedTermIsNeitherStoppedNorKilled() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, STUBBORN)) {
            parent.line("renewed");
            parent.always(parent::running, Duration.ofMillis(2800), "the group runs");
        }
    }

    @Test
    void suspendedTermIsStoppedUntilTheNextRenewal() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, STUBBORN)) {
            parent.until(() -> parent.members().size() >= 3, "a whole group");
            parent.order("hold");
            parent.line("obeyed hold");
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
            List<Long> shells = parent.guardParts();
            // what comes and goes with each poll is none of them
            for (int look = 0; look < 3; look++) {
                Thread.sleep(200);
                shells = shells.stream().filter(parent.guardParts()::contains).toList();
            }
            assertThat(shells).hasSize(4);
            BootInstant before = parent.now();
            ParentProcess.signal("KILL", shells.get(part));
            Duration gone = parent.until(parent::gone, "the end of the group").since(before);
            System.out.println("part " + part + " of the guard killed to group gone: " + gone);
            assertThat(parent.exitCode()).isEqualTo(137);
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
            parent.always(parent::running, Duration.ofSeconds(4), "the group runs, longer than a lease");
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
            parent.always(parent::running, Duration.ofSeconds(1), "the group runs");
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
