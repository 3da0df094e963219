package dev.signet.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of servers whose JVM ends; one of them is frozen. */
@Tag("process")
class WardenTest {

    private final Map<Long, Long> processes = new LinkedHashMap<>();
    private Path folder;
    private Process jvm;

    @AfterEach
    void endTheJvm() {
        jvm.destroyForcibly();
    }

    private void leaveBehind() throws IOException {
        jvm = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        LeftBehind.class.getName()))
                .redirectErrorStream(true)
                .start();
        List<String> said = new ArrayList<>();
        BufferedReader output = jvm.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); !"ready".equals(line); line = output.readLine()) {
            assertThat(line).as("the end of %s", said).isNotNull();
            said.add(line);
            String[] words = line.split(" ");
            switch (words[0]) {
                case "folder" -> folder = Path.of(words[1]);
                case "process" -> processes.put(Long.parseLong(words[1]), Long.parseLong(words[2]));
                default -> {}
            }
        }
        // the warden, MariaDB, ZooKeeper, PostgreSQL's first process and at least four of its others
        assertThat(processes).hasSizeGreaterThan(7);
        assertThat(alive()).hasSize(processes.size());
    }

    private List<Long> alive() {
        return processes.entrySet().stream()
                .filter(one -> ProcessHandle.of(one.getKey())
                        .map(ProcessState::of)
                        .filter(state -> !state.isOver() && state.startTicks() == one.getValue())
                        .isPresent())
                .map(Map.Entry::getKey)
                .toList();
    }

    private void awaitNothingLeft() throws InterruptedException {
        long begun = System.nanoTime();
        while (!alive().isEmpty() || Files.exists(folder)) {
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .as("%s are alive", alive())
                    .isLessThan(Duration.ofSeconds(20));
            Thread.sleep(20);
        }
    }

    @Test
    void theServersOfAKilledJvmAreKilledAndTheirFolderIsRemoved() throws Exception {
        leaveBehind();
        long begun = System.nanoTime();
        jvm.destroyForcibly().waitFor();

        awaitNothingLeft();
        System.out.printf("figure: nothing left %d ms after kill -9%n", (System.nanoTime() - begun) / 1_000_000);
    }

    @Test
    void aJvmThatEndsInGoodOrderHasEndedItsServersBefore() throws Exception {
        leaveBehind();
        jvm.getOutputStream().close();

        assertThat(jvm.waitFor()).isZero();
        assertThat(folder).doesNotExist();
        awaitNothingLeft();
    }
}
