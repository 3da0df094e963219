package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.OpenSession;
import dev.signet.store.SessionId;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Replacement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A voter whose machine is lost is replaced by another. */
@Tag("process")
class ReplaceTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    @Test
    void theNewVoterKnowsEverythingAndCounts() {
        try (Voters voters = Voters.start(3);
                QuorumStore store = QuorumStore.open(QuorumStoreOptions.of(voters.addresses()), Namespace.DEFAULT)) {
            SessionId session = SessionId.random();
            assertThat(open(store, session)).isInstanceOf(Answer.Done.class);
            assertThat(take(store, session, 1)).isEqualTo(FencingToken.of(1));

            voters.get(2).kill();
            SortedMap<String, Address> listed = new TreeMap<>(Map.of(
                    "1", voters.get(0).address(),
                    "2", voters.get(1).address(),
                    "4", Voters.free()));
            try (VoterProcess fourth = new VoterProcess("4", listed, folder.resolve("four"), List.of())) {
                fourth.start("--join");
                Replacement replacement = new Replacement("3", "4", fourth.address());
                QuorumStoreOptions as = QuorumStoreOptions.of(voters.addresses());
                assertThat(QuorumCare.replace(as, replacement, LONG)).isEmpty();
                assertThat(QuorumCare.replace(as, replacement, LONG))
                        .as("again")
                        .isEmpty();
                assertThat(QuorumCare.replace(as, new Replacement("3", "4", Voters.free()), LONG))
                        .as("the same id elsewhere")
                        .isPresent();

                voters.get(0).kill();
                try (QuorumStore after = QuorumStore.open(
                        QuorumStoreOptions.of(
                                voters.get(1).address().toString(),
                                fourth.address().toString()),
                        Namespace.DEFAULT)) {
                    assertThat(take(after, session, 2))
                            .as("of two that are left")
                            .isEqualTo(FencingToken.of(2));
                }
            }
        }
    }

    @Test
    void whatIsNoReplacementIsRefused() {
        try (Voters voters = Voters.start(3);
                QuorumStore store = QuorumStore.open(QuorumStoreOptions.of(voters.addresses()), Namespace.DEFAULT)) {
            assertThat(open(store, SessionId.random())).isInstanceOf(Answer.Done.class);
            QuorumStoreOptions options = QuorumStoreOptions.of(voters.addresses());

            assertThat(QuorumCare.replace(options, new Replacement("7", "8", Voters.free()), LONG))
                    .hasValueSatisfying(why -> assertThat(why).contains("voter 7 is none of"));
            assertThat(QuorumCare.replace(options, new Replacement("1", "2", Voters.free()), LONG))
                    .hasValueSatisfying(why -> assertThat(why).contains("needs an id and an address of its own"));
        }
    }

    private static Answer<?, ?> open(QuorumStore store, SessionId session) {
        return store.open(
                        new OpenSession(
                                session, new CandidateId("ada", "1"), Advertised.NOTHING, Duration.ofMinutes(5)),
                        LONG)
                .toCompletableFuture()
                .join();
    }

    private static FencingToken take(QuorumStore store, SessionId session, long attempt) {
        Role role = Role.of("ledger");
        long version = store.read(role, LONG)
                .toCompletableFuture()
                .join()
                .fold(view -> view.version(), refused -> -1L, unknown -> -1L);
        return store.acquire(new Acquire(session, role, attempt, TermId.random(), 0, version), LONG)
                .toCompletableFuture()
                .join()
                .fold(
                        Grant::token,
                        refused -> {
                            throw new AssertionError(refused);
                        },
                        unknown -> {
                            throw new AssertionError(unknown.cause());
                        });
    }

    /** It has forgotten for whom it voted, and what it said it has. */
    @Test
    void aVoterThatLostItsDiskIsNotTheOldOneAnyMore() throws Exception {
        try (Voters voters = Voters.start(3);
                QuorumStore store = QuorumStore.open(QuorumStoreOptions.of(voters.addresses()), Namespace.DEFAULT)) {
            assertThat(open(store, SessionId.random())).isInstanceOf(Answer.Done.class);
            VoterProcess wiped = voters.get(2);
            wiped.kill();
            Voters.delete(wiped.data());

            assertThat(wiped.begin().expect("refused: ")).contains("have a store already", "quorum replace");
            assertThat(wiped.begin("--join").expect("refused: ")).contains("votes already", "quorum replace");
        }
    }
}
