package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is said to have ended the command, by the order in which a guard speaks and ends. Here the guard is a script of the test's own. */
class BlameTest {
    @TempDir
    Path folder;

    private final List<String> told = new CopyOnWriteArrayList<>();

    /** A part of it lives on, and holds its stdout open. */
    @Test
    void guardKilledBeforeItWasLetGoIsLost() throws Exception {
        GuardProcess guard = afterTheEndOf("sleep 5 & kill -9 $$");
        guard.release();
        assertThat(guard.blamed()).isEqualTo(ChildEnd.By.LOST_GUARD);
        assertThat(told).containsExactly("lost: the guard process has ended");
    }

    @Test
    void guardThatHearsNothingOfALivingSignetIsLost() throws Exception {
        GuardProcess guard = afterTheEndOf("echo killing closed");
        guard.release();
        assertThat(guard.blamed()).isEqualTo(ChildEnd.By.LOST_GUARD);
        assertThat(told).singleElement().asString().startsWith("lost: ");
    }

    /** However late its words are read. */
    @Test
    void guardThatKilledAtItsDeadlineIsNotLost() throws Exception {
        GuardProcess guard = afterTheEndOf("echo armed 1; echo killing deadline");
        guard.release();
        assertThat(guard.blamed()).isEqualTo(ChildEnd.By.GUARD);
        assertThat(told).containsExactly("killing");
    }

    @Test
    void guardThatKilledWhenAskedMayEnd() throws Exception {
        GuardProcess guard = afterTheEndOf("echo killing asked");
        assertThat(guard.blamed()).isEqualTo(ChildEnd.By.ITSELF);
        assertThat(told).isEmpty();
        assertThat(guard.listens()).isFalse();
    }

    @Test
    void guardThatWasLetGoMayEnd() throws Exception {
        GuardProcess guard = start("");
        guard.release();
        assertThat(guard.blamed()).isEqualTo(ChildEnd.By.ITSELF);
        assertThat(told).isEmpty();
    }

    private GuardProcess afterTheEndOf(String words) throws Exception {
        GuardProcess guard = start(words);
        guard.stop();
        GuardScript.until(
                () -> ProcessTable.find(guard.pid()).filter(ProcessStat::lives).isEmpty());
        return guard;
    }

    private GuardProcess start(String words) throws Exception {
        Path script =
                Files.writeString(folder.resolve("guard"), "#!/bin/sh\necho ready $$\nread -r line\n" + words + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return GuardProcess.start(new GuardHost(script, script), Duration.ofMillis(100), new GuardListener() {
            @Override
            public void killing() {
                told.add("killing");
            }

            @Override
            public void lost(String why) {
                told.add("lost: " + why);
            }
        });
    }
}
