package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * At which moment the guard's script acts: by a boot clock that the test moves. An arm line is answered at a tick after it, so the answer says
 * that the guard has looked at a clock which the test had moved before the line.
 */
@Tag("process")
class GuardDeadlineTest {
    private static final int STOP = 100_500;
    private static final int KILL = 101_000;

    @TempDir
    Path folder;

    private Path uptime;
    private int lines = 1;

    @BeforeEach
    void beginAtThousandSeconds() throws IOException {
        uptime = folder.resolve("uptime");
        clockIsAt(100_000);
        Files.createSymbolicLink(
                Files.createDirectory(folder.resolve("tools")).resolve("sh"),
                GuardScript.find("sh").orElseThrow());
    }

    @Test
    void deadlinesActWhenTheyAreReachedAndNotBefore() throws Exception {
        try (GuardScript script = script()) {
            arm(script, STOP, KILL);
            clockIsAt(STOP - 1);
            arm(script, STOP, KILL);
            assertThat(script.heard()).doesNotContain("stopped");
            clockIsAt(STOP);
            script.until("stopped");
            GuardScript.until(() -> script.everything().stream().allMatch(ProcessStat::stopped));
            clockIsAt(KILL - 1);
            arm(script, STOP, KILL);
            assertThat(script.heard()).doesNotContain("continued").noneMatch(line -> line.startsWith("killing"));
            clockIsAt(KILL);
            script.until("killing deadline");
            GuardScript.until(() -> script.everything().isEmpty());
        }
    }

    @Test
    void renewedIsNeitherStoppedNorKilled() throws Exception {
        try (GuardScript script = script()) {
            arm(script, STOP, KILL);
            for (int later = 0; later < 8000; later += 400) {
                clockIsAt(STOP + later - 1);
                arm(script, STOP + later + 400, KILL + later + 400);
            }
            clockIsAt(STOP + 8000 - 1);
            arm(script, STOP + 8000, KILL + 8000);
            assertThat(script.heard()).allMatch(line -> line.startsWith("armed") || line.startsWith("guarding"));
            GuardScript.until(() -> !script.everything().isEmpty()); // who is in the midst of exec shows no mark
            assertThat(script.everything()).noneMatch(ProcessStat::stopped);
        }
    }

    /** As after a suspension of the host. */
    @Test
    void clockThatJumpsPastBothDeadlinesMeansKilledAtOnce() throws Exception {
        try (GuardScript script = script()) {
            arm(script, STOP, KILL);
            clockIsAt(10 * KILL);
            script.until("killing deadline");
            assertThat(script.heard()).doesNotContain("stopped");
            GuardScript.until(() -> script.everything().isEmpty());
        }
    }

    private GuardScript script() throws IOException {
        return new GuardScript(folder.resolve("tools"), ":/usr/bin:/bin", "deadline", "sleep 100", uptime);
    }

    /** Returns when it has looked at the clock after that. */
    private void arm(GuardScript script, long stop, long kill) throws IOException {
        lines++;
        script.armAt(lines, stop, kill);
        script.until("armed " + lines);
    }

    private void clockIsAt(long hundredths) throws IOException {
        String seconds = hundredths / 100 + "." + String.format("%02d", hundredths % 100);
        Path next = Files.writeString(folder.resolve("next"), seconds + " 0.00\n");
        Files.move(next, uptime, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
