package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host without {@code /proc} or {@code setsid}, such as macOS: what still holds there. */
@Tag("process")
class UnguardedTest {
    private static final String TREE =
            "(trap '' TERM; while :; do sleep 0.1; done) & echo ready; while :; do sleep 0.1; done";

    @TempDir
    Path folder;

    @Test
    void commandAndItsDescendantsAreTerminatedThenKilled() throws Exception {
        try (ParentProcess parent = unguarded(TREE)) {
            parent.until(() -> parent.hasWritten("ready"), "the command's first words");
            parent.order("terminate-300");
            assertThat(parent.exitCode()).isEqualTo(143);
            assertThat(parent.line("ended ")).endsWith("ended 143 SIGNET 0 true");
            assertThat(parent.gone()).isTrue();
        }
    }

    @Test
    void exitCodeIsStillTheCommands() throws Exception {
        try (ParentProcess parent = unguarded("exit 3")) {
            assertThat(parent.exitCode()).isEqualTo(3);
        }
    }

    @Test
    void hostWithEverythingIsGuarded() {
        GuardHost.Found found = GuardHost.look();
        assertThat(found.host()).isPresent();
        assertThat(found.lacking()).isEmpty();
    }

    private ParentProcess unguarded(String script) throws IOException {
        return new ParentProcess(
                folder, ParentProcess.Pace.RELAXED, List.of(), List.of("-Dunguarded=true"), "sh", "-c", script);
    }
}
