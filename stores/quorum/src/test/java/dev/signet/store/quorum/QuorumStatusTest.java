package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.store.OpenSession;
import dev.signet.store.Opened;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import dev.signet.store.quorum.QuorumStatus.Told;
import dev.signet.store.quorum.wire.VoterStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class QuorumStatusTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration ASK = Duration.ofSeconds(5);

    @Test
    void eachVoterSaysHowItStandsAndWhoIsGoneSaysNothing() throws InterruptedException {
        try (Voters voters = Voters.start(3)) {
            QuorumStoreOptions options = QuorumStoreOptions.of(voters.addresses());
            Opened opened = open(options);

            List<VoterStatus> all = awaitSame(options, 3);

            assertThat(all).extracting(status -> status.self().voter()).containsExactly("1", "2", "3");
            assertThat(all).extracting(VoterStatus::storeId).containsOnly(Optional.of(opened.storeId()));
            assertThat(all).extracting(VoterStatus::sessions).containsOnly(1);
            assertThat(all).extracting(VoterStatus::roles).containsOnly(0);
            assertThat(all).filteredOn(VoterStatus::leads).hasSize(1);
            assertThat(all).extracting(VoterStatus::leader).containsOnly(leader(all));

            voters.get(0).kill();

            List<Told> left = QuorumStatus.ask(options, ASK);
            assertThat(left.get(0).status()).isEmpty();
            assertThat(left.get(0).silence()).isEqualTo("cannot be reached");
            assertThat(left.get(1).status()).isPresent();
            assertThat(left.get(2).status()).isPresent();
        }
    }

    private static Optional<String> leader(List<VoterStatus> all) {
        return all.stream()
                .filter(VoterStatus::leads)
                .map(status -> status.self().voter())
                .findFirst();
    }

    private static Opened open(QuorumStoreOptions options) {
        try (QuorumStore store = QuorumStore.open(options, Namespace.DEFAULT)) {
            OpenSession request = new OpenSession(
                    SessionId.random(), CandidateId.incarnationOf("ada"), Advertised.NOTHING, Duration.ofMinutes(5));
            Answer<Opened, StoreRefusal> answer =
                    store.open(request, PATIENCE).toCompletableFuture().join();
            return answer.fold(
                    opened -> opened,
                    refused -> {
                        throw new AssertionError(refused);
                    },
                    unknown -> {
                        throw new AssertionError(unknown);
                    });
        }
    }

    /** Until all have taken in all that the leader has. */
    private static List<VoterStatus> awaitSame(QuorumStoreOptions options, int size) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            List<Told> told = QuorumStatus.ask(options, ASK);
            List<VoterStatus> all =
                    told.stream().flatMap(one -> one.status().stream()).toList();
            boolean same = all.size() == size
                    && leader(all).isPresent()
                    && all.stream().map(VoterStatus::appliedIndex).distinct().count() == 1
                    && all.get(0).sessions() == 1;
            if (same) {
                return all;
            }
            assertThat(System.nanoTime()).as("in time; " + told).isLessThan(deadline);
            Thread.sleep(50);
        }
    }
}
