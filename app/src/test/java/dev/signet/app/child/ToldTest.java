package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a guard is told of a child, written down on the way. */
class ToldTest {
    @TempDir
    Path folder;

    @Test
    void deadlinesCountFromTheSendingOfTheLastRenewal() throws Exception {
        Path told = folder.resolve("told");
        GuardHost host = GuardHost.look().host().orElseThrow();
        Path recorder = Files.writeString(
                folder.resolve("setsid"),
                "#!/bin/sh\n[ \"$4\" = signet-guard ] || exec " + host.setsid() + " \"$@\"\ntee " + told + " | "
                        + host.setsid() + " \"$@\"\n");
        assertThat(recorder.toFile().setExecutable(true)).isTrue();

        GuardSettings settings = GuardSettings.of(Duration.ofSeconds(60), Duration.ofSeconds(40), Optional.empty());
        BootInstant begun = BootClock.ofHost().now();
        try (GuardedChild child = GuardedChild.start(
                ChildCommand.find(List.of("sleep", "100")),
                Map.of("SIGNET_TERM_ID", UUID.randomUUID().toString()),
                settings,
                begun,
                new GuardHost.Found(Optional.of(new GuardHost(host.shell(), recorder)), Optional.empty()))) {
            child.renewed(begun.plus(Duration.ofSeconds(2)));
            child.renewed(begun.plus(Duration.ofSeconds(1)));
            child.suspend();
            child.renewed(begun.plus(Duration.ofSeconds(3)));
        }
        assertThat(Files.readAllLines(told))
                .filteredOn(line -> line.startsWith("arm") || line.equals("stop"))
                .containsExactly(
                        arm(1, begun),
                        arm(2, begun.plus(Duration.ofSeconds(2))),
                        "stop",
                        arm(3, begun.plus(Duration.ofSeconds(3))));
    }

    private static String arm(int number, BootInstant sent) {
        return "arm " + number + " " + (sent.hundredths() + 4000) + " " + (sent.hundredths() + 5650);
    }
}
