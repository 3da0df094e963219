package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShellTest {
    @TempDir
    Path folder;

    @Test
    void commandThatDoesNotEndIsEnded() {
        List<String> command = List.of("sh", "-c", "echo begun; while :; do sleep 1; done");
        assertThatThrownBy(() -> Shell.run(folder, System.getenv(), command, Duration.ofSeconds(1)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("did not end within PT1S");
        assertThat(ProcessHandle.current()
                        .descendants()
                        .filter(one -> one.info().commandLine().orElse("").contains("echo begun")))
                .isEmpty();
    }

    /** What it leaves behind may hold its stdout. */
    @Test
    void commandHasEndedWhenItsOwnProcessHas() {
        Shell.Result result = Shell.run(folder, "sleep 3 & echo said; exit 7");
        assertThat(result).isEqualTo(new Shell.Result(7, "said"));
    }
}
