package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.store.OpenSession;
import dev.signet.store.SessionId;
import dev.signet.store.quorum.voter.Voter;
import dev.signet.store.quorum.voter.VoterOptions;
import dev.signet.store.quorum.wire.Address;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store in the process of a voter. */
@Tag("process")
class BesideTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    /** Over the network it could not: the voter asks for a certificate, and the store has none. */
    @Test
    void theLeaderIsAskedDirectly() throws Exception {
        Authority authority = new Authority(Files.createDirectory(folder.resolve("authority")));
        Address address = Voters.free();
        VoterOptions options = VoterOptions.of("1", Map.of("1", address), folder.resolve("data"))
                .withTls(authority.voter());
        try (Voter voter = Voter.start(options);
                QuorumStore store =
                        QuorumStore.beside(voter, QuorumStoreOptions.of(address.toString()), Namespace.DEFAULT);
                QuorumStore remote = QuorumStore.open(QuorumStoreOptions.of(address.toString()), Namespace.DEFAULT)) {
            assertThat(store.open(
                                    new OpenSession(
                                            SessionId.random(),
                                            new CandidateId("ada", "1"),
                                            Advertised.NOTHING,
                                            Duration.ofSeconds(5)),
                                    LONG)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Answer.Done.class);
            assertThat(remote.read(Role.of("ledger"), Duration.ofSeconds(2))
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Answer.Unknown.class);
        }
    }
}
