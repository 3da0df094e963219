package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildCommandTest {
    @TempDir
    Path folder;

    private Path first;
    private Path second;

    @BeforeEach
    void folders() throws Exception {
        first = Files.createDirectory(folder.resolve("first"));
        second = Files.createDirectory(folder.resolve("second"));
    }

    @Test
    void firstExecutableInPathIsTaken() throws Exception {
        file(first.resolve("tool"), false);
        Path hit = file(second.resolve("tool"), true);
        assertThat(find("tool", "-x", "a b").executable()).isEqualTo(hit);
        assertThat(find("tool", "-x", "a b").words()).containsExactly(hit.toString(), "-x", "a b");
    }

    @Test
    void nameWithASlashIsNotLookedUp() throws Exception {
        Path file = file(first.resolve("tool"), true);
        assertThat(find(file.toString()).executable()).isEqualTo(file);
        refused(127, "first/tool");
    }

    @Test
    void whatDoesNotExistIs127() {
        refused(127, "tool");
        refused(127, "");
        refused(127, folder.resolve("tool").toString());
    }

    @Test
    void whatCannotBeExecutedIs126() throws Exception {
        file(first.resolve("tool"), false);
        refused(126, "tool");
        refused(126, first.resolve("tool").toString());
        refused(126, first.toString());
    }

    @Test
    void folderInPathIsNoCommand() throws Exception {
        Files.createDirectory(first.resolve("tool"));
        refused(127, "tool");
    }

    @Test
    void commandThatLooksLikeAnOptionIsStillAFile() {
        ChildCommand command = new ChildCommand(Path.of("-n", "tool"), List.of());
        assertThat(command.words()).containsExactly("./-n/tool");
    }

    @Test
    void environmentLosesWhatIsSignetsOwn() {
        Map<String, String> environment = new TreeMap<>(
                Map.of("SIGNET_PASSWORD", "secret", "SIGNET_TERM_ID", "outer", "HOME", "/", "SIGNETS", "kept"));
        ChildEnvironment.prepare(environment, Map.of("SIGNET_TERM_ID", "inner"));
        assertThat(environment)
                .containsExactlyInAnyOrderEntriesOf(Map.of("SIGNET_TERM_ID", "inner", "HOME", "/", "SIGNETS", "kept"));
    }

    @Test
    void statOfAProcessWithAnOddNameIsRead() {
        String rest = " S 1 55 66 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 3 0 4711 1000 10";
        assertThat(ProcessStat.parse("77 (a) R 1 2 3 (x)" + rest)).contains(new ProcessStat(77, 'S', 55, 66, 3, 4711));
        assertThat(ProcessStat.parse("")).isEmpty();
    }

    @Test
    void processWhoseFirstThreadEndedLives() {
        assertThat(new ProcessStat(1, 'Z', 1, 1, 2, 0).lives()).isTrue();
        assertThat(new ProcessStat(1, 'Z', 1, 1, 1, 0).lives()).isFalse();
    }

    private ChildCommand find(String... words) {
        return ChildCommand.find(List.of(words), first + ":" + second);
    }

    private void refused(int exitCode, String name) {
        assertThatThrownBy(() -> find(name))
                .asInstanceOf(type(CommandNotRunnableException.class))
                .satisfies(refusal -> assertThat(refusal.exitCode()).isEqualTo(exitCode))
                .satisfies(refusal -> assertThat(refusal.getMessage()).contains(name));
    }

    private static Path file(Path path, boolean executable) throws Exception {
        Files.writeString(path, "#!/bin/sh\n");
        assertThat(path.toFile().setExecutable(executable)).isTrue();
        return path;
    }
}
