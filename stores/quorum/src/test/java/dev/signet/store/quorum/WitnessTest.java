package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.quorum.wire.VoterStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class WitnessTest {

    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @Test
    void aWitnessLeadsWhileNoOtherCan() throws InterruptedException {
        try (Voters voters = Voters.prepare(3)) {
            voters.get(0).begin("--witness");
            voters.get(1).begin("--witness");
            voters.get(2).start();
            QuorumStoreOptions options = QuorumStoreOptions.of(voters.addresses());
            awaitLeader(options, List.of("3"));

            voters.get(2).kill();
            awaitLeader(options, List.of("1", "2"));

            voters.get(2).start();
            awaitLeader(options, List.of("3"));
        }
    }

    private static void awaitLeader(QuorumStoreOptions options, List<String> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (leader(options).filter(wanted::contains).isEmpty()) {
            assertThat(System.nanoTime())
                    .as("in time one of %s leads; %s does", wanted, leader(options))
                    .isLessThan(deadline);
            Thread.sleep(100);
        }
    }

    private static Optional<String> leader(QuorumStoreOptions options) {
        return QuorumStatus.ask(options, Duration.ofSeconds(5)).stream()
                .flatMap(one -> one.status().stream())
                .filter(VoterStatus::leads)
                .map(status -> status.self().voter())
                .findFirst();
    }
}
