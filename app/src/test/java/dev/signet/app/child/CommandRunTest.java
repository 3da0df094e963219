package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user sees of a command that ends by itself. */
@Tag("process")
class CommandRunTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"exit 0, 0", "exit 3, 3", "kill -TERM $$, 143", "kill -KILL $$, 137"})
    void exitCodeIsTheCommands(String script, int exitCode) throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, script)) {
            assertThat(parent.exitCode()).isEqualTo(exitCode);
            assertThat(parent.line("ended ")).endsWith(" ended " + exitCode + " ITSELF 0 true");
            System.out.println("start of guard and command: " + parent.startMillis() + " ms");
        }
    }

    @Test
    void missingCommandIs127AndNothingStarts() throws Exception {
        try (ParentProcess parent = ParentProcess.of(folder, "no-such-command")) {
            assertThat(parent.exitCode()).isEqualTo(127);
            assertThat(parent.err()).contains("no-such-command").doesNotContain("\tat ");
            assertThat(parent.lines()).isEmpty();
        }
    }

    @Test
    void scriptWhoseInterpreterIsMissingEndsAsInAShell() throws Exception {
        Path script = Files.writeString(folder.resolve("script"), "#!/no/such/interpreter\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        try (ParentProcess parent = ParentProcess.of(folder, script.toString())) {
            assertThat(parent.exitCode()).isIn(126, 127);
        }
    }

    @Test
    void stdinAndStdoutPassThroughUnchanged() throws Exception {
        String lines = IntStream.range(0, 50_000)
                .mapToObj(i -> i + " äöü € \t " + "x".repeat(i % 120))
                .collect(Collectors.joining("\n", "", "\nno newline at the end"));
        Files.writeString(folder.resolve("in"), lines);
        try (ParentProcess parent = ParentProcess.of(folder, "cat")) {
            assertThat(parent.exitCode()).isZero();
            assertThat(parent.out()).isEqualTo(lines);
            assertThat(parent.err()).isEmpty();
        }
    }

    @Test
    void environmentIsTheParentsWithoutSignetsOwn() throws Exception {
        try (ParentProcess parent = ParentProcess.of(folder, "env")) {
            assertThat(parent.exitCode()).isZero();
            assertThat(parent.out().lines())
                    .contains("PASSED_ON=yes", "odd.name=kept", "SIGNET_TOKEN=7")
                    .noneMatch(line -> line.startsWith("SIGNET_PASSWORD"))
                    .noneMatch(line -> line.startsWith("script="));
        }
    }

    @Test
    void commandHasASessionOfItsOwnAndNoneOfTheGuardsFiles() throws Exception {
        try (ParentProcess parent = ParentProcess.ofScript(folder, "ls -l /proc/self/fd; exec sleep 1")) {
            ProcessStat child = ProcessTable.find(parent.childPid()).orElseThrow();
            assertThat(child.group()).isEqualTo(child.pid());
            assertThat(child.session()).isEqualTo(child.pid());
            assertThat(parent.exitCode()).isZero();
            assertThat(parent.out())
                    .doesNotContain("pipe:")
                    .doesNotContain(" 4 ->")
                    .doesNotContain(" 5 ->");
        }
    }

    @Test
    void whatTheCommandLeavesBehindIsEndedBeforeItCountsAsEnded() throws Exception {
        String script =
                "(trap 'echo bye; exit' TERM; sleep 100 & wait) & (trap '' TERM; sleep 100) & sleep 0.3; exit 5";
        try (ParentProcess parent = ParentProcess.ofScript(folder, script)) {
            assertThat(parent.exitCode()).isEqualTo(5);
            assertThat(parent.gone()).isTrue();
            assertThat(parent.out()).isEqualTo("bye\n");
            assertThat(parent.line("ended ")).endsWith(" ended 5 ITSELF 0 true");
        }
    }
}
