package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No command without a guard, whenever signet or the guard dies. */
@Tag("process")
class GateTest {
    @TempDir
    Path folder;

    private final List<GuardProcess> guards = new ArrayList<>();

    /** Also those that a failed test left stopped. */
    @AfterEach
    void noGuardIsLeft() {
        for (GuardProcess guard : guards) {
            ProcessTable.all().stream()
                    .filter(part -> part.session() == guard.pid())
                    .forEach(part -> ParentProcess.signal("KILL", part.pid()));
        }
    }

    @Test
    void withoutItsGuardTheCommandIsNotStarted() throws Exception {
        Process over = new ProcessBuilder("true").start();
        over.waitFor();
        String pid = Long.toString(over.pid());
        Path trace = folder.resolve("trace");
        Process gate = new ProcessBuilder(
                        "setsid",
                        "sh",
                        "-c",
                        GuardProcess.script("gate.sh"),
                        "gate",
                        pid,
                        pid,
                        "touch",
                        trace.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(gate.waitFor(5, TimeUnit.SECONDS)).isTrue();
        assertThat(gate.exitValue()).isEqualTo(125);
        assertThat(new String(gate.getInputStream().readAllBytes())).contains("the command was not started");
        assertThat(trace).doesNotExist();
    }

    @Test
    void commandWaitsUntilTheGuardHasWrittenItDown() throws Exception {
        Path trace = folder.resolve("trace");
        GuardProcess guard = guard();
        ParentProcess.signal("STOP", guard.watcherPid());
        Process gate = gate(guard, "touch", trace.toString());
        assertThat(gate.waitFor(400, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(trace).doesNotExist();
        ParentProcess.signal("CONT", guard.watcherPid());
        assertThat(gate.waitFor(5, TimeUnit.SECONDS)).isTrue();
        assertThat(trace).exists();
        guard.awaitAdopted(gate.pid());
        guard.release();
    }

    /**
     * A shell bends its stdout elsewhere for the length of each {@code echo >&3}. Were that the gate's ear, a gate that looks just then would
     * wait for ever. So here the guard talks all the time.
     */
    @Test
    void gatesEarStaysWhereItIsWhileTheGuardTalks() throws Exception {
        GuardProcess guard = guard();
        Process gate = gate(guard, "sleep", "100");
        guard.awaitAdopted(gate.pid());
        Matcher ear = Pattern.compile("fd/(\\d+)\"")
                .matcher(GuardProcess.script("gate.sh").replaceFirst("fd/0\"", ""));
        assertThat(ear.find()).isTrue();
        Path link = Path.of("/proc/" + guard.watcherPid() + "/fd/" + ear.group(1));
        Path before = Files.readSymbolicLink(link);
        for (int i = 0; i < 40; i++) {
            guard.stop();
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(25)) {
                assertThat(Files.readSymbolicLink(link)).isEqualTo(before);
            }
        }
        guard.kill();
        gate.waitFor();
        guard.release();
    }

    @Test
    void guardThatDiesBeforeItsAnswerStartsNothing() throws Exception {
        Path trace = folder.resolve("trace");
        GuardProcess guard = guard();
        ParentProcess.signal("STOP", guard.watcherPid());
        Process gate = gate(guard, "touch", trace.toString());
        assertThat(gate.waitFor(200, TimeUnit.MILLISECONDS)).isFalse();
        ParentProcess.signal("KILL", guard.watcherPid());
        assertThat(gate.waitFor(5, TimeUnit.SECONDS)).isTrue();
        assertThat(gate.exitValue()).isEqualTo(125);
        assertThat(trace).doesNotExist();
        guard.release();
    }

    /** What a signet killed at this very moment looks like: the gate stands, the guard has not heard of it yet, and the pipe closes. */
    @Test
    void pipeThatClosesWhileTheGateWaitsKillsTheCommand() throws Exception {
        GuardProcess guard = guard();
        ParentProcess.signal("STOP", guard.watcherPid());
        Process gate = gate(guard, "sleep", "100");
        assertThat(gate.waitFor(200, TimeUnit.MILLISECONDS)).isFalse();
        guard.hangUp();
        ParentProcess.signal("CONT", guard.watcherPid());
        assertThat(gate.waitFor(5, TimeUnit.SECONDS)).isTrue();
        assertThat(gate.exitValue()).isEqualTo(137);
    }

    /** Whenever signet is killed while it starts: the command's group is gone soon, or never was. */
    @Test
    void signetKilledWhileItStartsLeavesNothing() throws Exception {
        Random random = new Random(7);
        int begun = 0;
        for (int i = 0; i < 12; i++) {
            Path run = Files.createDirectories(folder.resolve("run" + i));
            try (ParentProcess parent = ParentProcess.ofScript(run, "trap '' TERM; while :; do sleep 0.1; done")) {
                parent.until(() -> parent.descendants() > 0, "the first process that it starts");
                long wait = random.nextInt(60);
                Thread.sleep(wait);
                begun += parent.gone() ? 0 : 1;
                ParentProcess.signal("KILL", parent.pid());
                parent.until(parent::gone, "the end of all, killed " + wait + " ms after the guard was started");
            }
        }
        System.out.println("signet killed while starting: in " + begun + " of 12 runs the command's process was there");
    }

    private GuardProcess guard() throws Exception {
        GuardProcess guard =
                GuardProcess.start(GuardHost.look().host().orElseThrow(), Duration.ofMillis(100), new GuardListener() {
                    @Override
                    public void killing() {}

                    @Override
                    public void lost(String why) {}
                });
        guards.add(guard);
        return guard;
    }

    private static Process gate(GuardProcess guard, String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                "setsid",
                "sh",
                "-c",
                GuardProcess.script("gate.sh"),
                "gate",
                Long.toString(guard.watcherPid()),
                Long.toString(guard.pid())));
        words.addAll(List.of(command));
        return new ProcessBuilder(words).redirectErrorStream(true).start();
    }
}
