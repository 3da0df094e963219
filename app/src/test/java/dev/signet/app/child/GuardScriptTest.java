package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guard's script under each shell that may be {@code sh}: the same story, told line by line, without signet. */
@Tag("process")
class GuardScriptTest {
    @TempDir
    Path folder;

    private final BootClock clock = BootClock.ofHost();
    private final List<String> heard = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {"dash", "bash", "busybox"})
    void guardStopsContinuesAndKills(String name) throws Exception {
        Optional<Path> shell = find(name);
        // busybox is not everywhere; ./verify installs it where it can
        assumeThat(shell).isPresent();
        Path tools = Files.createDirectory(folder.resolve("tools"));
        Files.createSymbolicLink(tools.resolve("sh"), shell.get());
        if (name.equals("busybox")) {
            for (String tool : List.of("grep", "sleep", "setsid")) {
                Files.createSymbolicLink(tools.resolve(tool), shell.get());
            }
        }
        String path = tools + (name.equals("busybox") ? "" : ":/usr/bin:/bin");
        Path words = folder.resolve("words");
        Process guard = start(path, words, tools.resolve("sh"), "eval \"$script\"", "signet-guard", "0.05");
        try (BufferedReader ears = guard.inputReader(StandardCharsets.UTF_8);
                Writer mouth = guard.outputWriter(StandardCharsets.UTF_8)) {
            String watcher = ears.readLine().replace("ready ", "");
            tell(mouth, "mark SIGNET_TERM_ID=script-" + name);
            arm(mouth, 1, 60_000, 60_000);
            Process gate = start(
                    path,
                    folder.resolve("gate"),
                    tools.resolve("sh"),
                    GuardProcess.script("gate.sh"),
                    "gate",
                    watcher,
                    Long.toString(guard.pid()),
                    find("sh").orElseThrow().toString(),
                    "-c",
                    find("setsid").orElseThrow() + " " + find("sleep").orElseThrow() + " 100 & "
                            + find("sleep").orElseThrow() + " 100");
            until(ears, "guarding " + gate.pid());
            until(ears, "armed 1");
            ProcessGroup group = ProcessGroup.ledBy(gate.pid(), "SIGNET_TERM_ID=script-" + name, "/bin/sh");
            until(() -> everything(name).size() == 3);

            arm(mouth, 2, 200, 60_000);
            until(ears, "stopped");
            until(() -> everything(name).stream().allMatch(ProcessStat::stopped));
            arm(mouth, 3, 60_000, 60_000);
            until(ears, "continued");
            until(() -> everything(name).stream().noneMatch(ProcessStat::stopped));
            until(ears, "armed 3");
            arm(mouth, 4, 50, 300);
            until(ears, "killing deadline");
            until(() -> everything(name).isEmpty());
            assertThat(group.living()).isEmpty();
            assertThat(guard.waitFor(5, TimeUnit.SECONDS)).isTrue();
            // the guard does not wait for its own words, which may be held up: they may come after its end
            until(() -> words.toFile().length() > 0);
            assertThat(Files.readString(words))
                    .startsWith("signet-guard: signet did not renew in time")
                    .hasLineCount(1);
            assertThat(gate.waitFor()).isEqualTo(137);
        } finally {
            guard.destroyForcibly();
        }
    }

    private Process start(String path, Path errors, Path shell, String script, String... arguments) throws IOException {
        List<String> words =
                new ArrayList<>(List.of(find("setsid").orElseThrow().toString(), shell.toString(), "-c", script));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(errors.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", path);
        if (arguments[0].equals("signet-guard")) {
            builder.environment().put("script", GuardProcess.script("guard.sh"));
        } else {
            String name = shell.toRealPath().getFileName().toString();
            builder.environment().put("SIGNET_TERM_ID", "script-" + name);
        }
        return builder.start();
    }

    private void arm(Writer mouth, int number, long stopMillis, long killMillis) throws IOException {
        BootInstant now = clock.now();
        tell(
                mouth,
                "arm " + number + " " + now.plus(Duration.ofMillis(stopMillis)).hundredths() + " "
                        + now.plus(Duration.ofMillis(killMillis)).hundredths());
    }

    private static void tell(Writer mouth, String line) throws IOException {
        mouth.write(line + "\n");
        mouth.flush();
    }

    private void until(BufferedReader ears, String line) throws IOException {
        while (!heard.contains(line)) {
            String next = ears.readLine();
            assertThat(next).as("heard " + heard + " but not " + line).isNotNull();
            heard.add(next);
        }
    }

    private static void until(java.util.function.BooleanSupplier condition) throws InterruptedException {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begun).isLessThan(ParentProcess.PATIENCE.toNanos());
            Thread.sleep(5);
        }
    }

    private static List<ProcessStat> everything(String name) {
        return ProcessTable.all().stream()
                .filter(one -> one.lives() && ProcessTable.carries(one.pid(), "SIGNET_TERM_ID=script-" + name))
                .toList();
    }

    private static Optional<Path> find(String name) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
