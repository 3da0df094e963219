package dev.signet.app.child;

import static dev.signet.app.child.GuardScript.find;
import static dev.signet.app.child.GuardScript.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guard's script under each shell that may be {@code sh}, and with programs that fail it: told line by line, without signet. */
@Tag("process")
class GuardScriptTest {
    private static final String USUAL = ":/usr/bin:/bin";

    @TempDir
    Path folder;

    private Path tools;

    @BeforeEach
    void makeTools() throws IOException {
        tools = Files.createDirectory(folder.resolve("tools"));
    }

    /** One that stays, and one that left. */
    private static String two() {
        String sleep = find("sleep").orElseThrow().toString();
        return find("setsid").orElseThrow() + " " + sleep + " 100 & " + sleep + " 100";
    }

    @ParameterizedTest
    @ValueSource(strings = {"dash", "bash", "busybox"})
    void guardStopsContinuesAndKills(String name) throws Exception {
        Optional<Path> shell = find(name);
        // busybox is not everywhere; ./verify installs it where it can
        assumeThat(shell).isPresent();
        Files.createSymbolicLink(tools.resolve("sh"), shell.get());
        if (name.equals("busybox")) {
            for (String tool : List.of("grep", "sleep", "setsid")) {
                Files.createSymbolicLink(tools.resolve(tool), shell.get());
            }
        }
        try (GuardScript script = new GuardScript(tools, name.equals("busybox") ? "" : USUAL, name, two())) {
            ProcessGroup group = script.group();
            until(() -> script.everything().size() == 3);

            script.arm(2, 200, 60_000);
            script.until("stopped");
            until(() -> script.everything().stream().allMatch(ProcessStat::stopped));
            script.arm(3, 60_000, 60_000);
            script.until("continued");
            until(() -> script.everything().stream().noneMatch(ProcessStat::stopped));
            script.until("armed 3");
            script.arm(4, 50, 300);
            script.until("killing deadline");
            until(() -> script.everything().isEmpty());
            assertThat(group.living()).isEmpty();
            assertThat(script.guard.waitFor(5, TimeUnit.SECONDS)).isTrue();
            // the guard does not wait for its own words, which may be held up: they may come after its end
            Path words = folder.resolve("words");
            until(() -> words.toFile().length() > 0);
            assertThat(Files.readString(words))
                    .startsWith("signet-guard: signet did not renew in time")
                    .hasLineCount(1);
            assertThat(script.gate.waitFor()).isEqualTo(137);
        }
    }

    /** As who is in the midst of exec is overlooked, and the next time is not. */
    @Test
    void whoIsOverlookedAtOneLookIsFoundAtTheNext() throws Exception {
        useGrep("case $* in *environ*)", "echo >> looks; [ $(($(wc -l < looks) % 2)) = 0 ] || exit 1 ;; esac");
        try (GuardScript script = new GuardScript(tools, USUAL, "overlooked", two())) {
            until(() -> script.left() == 1);
            script.tell("stop");
            until(() -> script.everything().stream().allMatch(ProcessStat::stopped));
            Files.delete(folder.resolve("looks"));
            script.tell("kill");
            script.until("killing asked");
            until(() -> script.everything().isEmpty());
            assertThat(script.gate.waitFor()).isEqualTo(137);
        }
    }

    /** Then shells read the environments themselves. */
    @Test
    void grepThatKnowsLinesOnlyWillDo() throws Exception {
        useGrep("case $1 in *z*)", "exit 2 ;; esac");
        String odd = "env -i A='one\ntwo' SIGNET_TERM_ID=$SIGNET_TERM_ID setsid sleep 100 & ";
        try (GuardScript script = new GuardScript(tools, USUAL, "lines", odd + two())) {
            until(() -> script.left() == 2);
            script.tell("kill");
            until(() -> script.everything().isEmpty());
        }
    }

    private void useGrep(String... lines) throws IOException {
        Files.createSymbolicLink(tools.resolve("sh"), find("sh").orElseThrow());
        Path grep = Files.writeString(
                tools.resolve("grep"),
                "#!/bin/sh\ncd " + folder + "\n" + String.join("\n", lines) + "\nexec "
                        + find("grep").orElseThrow() + " \"$@\"\n");
        assertThat(grep.toFile().setExecutable(true)).isTrue();
    }
}
