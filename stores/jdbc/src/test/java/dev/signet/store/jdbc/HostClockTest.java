package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class HostClockTest {

    @Test
    void theUptimeIsReadToTheHundredth() {
        assertThat(LinuxClock.parse("1243.60 1870.11\n")).isEqualTo(1_243_600_000_000L);
        assertThat(LinuxClock.parse("0.07 0.00\n")).isEqualTo(70_000_000L);
        assertThat(LinuxClock.parse("99999999.99 1.00\n")).isEqualTo(99_999_999_990_000_000L);
    }

    @Test
    void aClockOfANamespaceOfItsOwnHasABootIdOfItsOwn() {
        String host = "aabffafa";
        assertThat(LinuxClock.bootId(host, "time:[4026531834]", "")).isEqualTo(host);
        assertThat(LinuxClock.bootId(host, "", "")).isEqualTo(host);
        assertThat(LinuxClock.bootId(host, "time:[4026532177]", "")).isNotEqualTo(host);
        assertThat(LinuxClock.bootId(host, "time:[4026531834]", "pid:[4026532178]"))
                .isNotEqualTo(host);
    }

    /** Else a suspended host would find leases that outlive the night. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void theHostsClockIsNeverBehindTheMonotonicOneWhichStandsStillInSuspension() {
        HostClock clock = HostClock.system();
        for (int i = 0; i < 1_000; i++) {
            long monotonic = System.nanoTime();
            assertThat(clock.nanos() + clock.resolutionNanos()).isGreaterThanOrEqualTo(monotonic);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theHostsClockSurvivesTheInterruptOfItsReader() {
        HostClock clock = HostClock.system();
        Thread.currentThread().interrupt();
        long before = clock.nanos();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(clock.nanos()).isGreaterThanOrEqualTo(before);
    }

    /** A clock that is set, jumps or leaps decides nothing where it is not read. */
    @Test
    void nothingInThisModuleReadsTheWallClock() throws IOException {
        List<String> wallClocks = List.of(
                "currentTimeMillis",
                "java/time/Instant",
                "java/time/Clock",
                "java/util/Date",
                "CURRENT_TIME",
                "datetime(",
                "julianday",
                "unixepoch",
                "strftime");
        try (Stream<Path> classes = Files.walk(Path.of("target/classes"))) {
            List<Path> files =
                    classes.filter(path -> path.toString().endsWith(".class")).toList();
            assertThat(files).hasSizeGreaterThan(10);
            for (Path file : files) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .as("%s", file)
                        .doesNotContain(wallClocks);
            }
        }
    }
}
