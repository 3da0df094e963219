package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.servers.Eavesdropper;
import dev.signet.store.OpenSession;
import dev.signet.store.Opened;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Channels;
import dev.signet.store.quorum.wire.Tls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Voters that ask everybody for a certificate. */
@Tag("process")
class TlsTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(3);

    @TempDir
    private static Path folder;

    private static Authority ours;
    private static Authority another;
    private static Voters voters;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        ours = new Authority(Files.createDirectory(folder.resolve("ours")));
        another = new Authority(Files.createDirectory(folder.resolve("another")));
        Tls tls = ours.voter();
        Tls.Identity identity = tls.identity().orElseThrow();
        voters = Voters.start(
                3,
                "--tls",
                tls.authority().toString(),
                identity.certificate().toString(),
                identity.key().toString(),
                "--mutual");
    }

    @AfterAll
    static void stop() {
        voters.close();
    }

    private static Answer<Opened, StoreRefusal> open(QuorumStoreOptions options, Duration timeout) {
        try (QuorumStore store = QuorumStore.open(options, Namespace.DEFAULT)) {
            return store.open(
                            new OpenSession(
                                    SessionId.random(),
                                    new CandidateId("ada", "1"),
                                    Advertised.NOTHING,
                                    Duration.ofSeconds(5)),
                            timeout)
                    .toCompletableFuture()
                    .join();
        }
    }

    private static QuorumStoreOptions options() {
        return QuorumStoreOptions.of(voters.addresses());
    }

    @Test
    void aCandidateWithItsCertificateIsServed() throws Exception {
        assertThat(open(options().withTls(ours.candidate()), LONG)).isInstanceOf(Answer.Done.class);
    }

    /** Each of these is told nothing at all: it cannot know that it would ever be told anything. */
    @Test
    void nobodyElseIs() throws Exception {
        Stream.of(
                        options(),
                        options().withTls(ours.stranger()),
                        options().withTls(another.candidate()),
                        options()
                                .withTls(new Tls(
                                        ours.certificate(), another.candidate().identity(), true)))
                .parallel()
                .forEach(options -> assertThat(open(options, SHORT)).isInstanceOf(Answer.Unknown.class));
    }

    @Test
    void aVoterOfAnotherAuthorityIsNotBelieved() throws Exception {
        Tls doubting = new Tls(another.certificate(), ours.candidate().identity(), true);
        assertThat(open(options().withTls(doubting), SHORT)).isInstanceOf(Answer.Unknown.class);
    }

    /** Raft's requests share the port; whoever could send them could rule the log. */
    @Test
    void aCandidateCannotSpeakAsAVoter() throws Exception {
        assertThat(voteAsked(ours.candidate())).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(voteAsked(ours.voter())).isNotEqualTo(Status.Code.PERMISSION_DENIED);
    }

    private static Status.Code voteAsked(Tls tls) throws IOException {
        Address address = voters.get(0).address();
        ManagedChannel channel = Channels.open(address, tls.forClient(), Runnable::run);
        try {
            RequestVoteReplyProto answer = RaftServerProtocolServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(LONG.toSeconds(), TimeUnit.SECONDS)
                    .requestVote(RequestVoteRequestProto.getDefaultInstance());
            return answer == null ? Status.Code.UNKNOWN : Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void nothingIsSentInClear() throws Exception {
        assertThat(overheard(options().withTls(ours.candidate())))
                .hasSizeGreaterThan(1_000)
                .doesNotContain("the-name-of-the-role");
    }

    /** Without TLS the same would be found. */
    @Test
    void withoutTlsEverythingIs() throws Exception {
        try (Voters plain = Voters.start(1)) {
            assertThat(overheardAt(plain.get(0).address(), Optional.empty())).contains("the-name-of-the-role");
        }
    }

    private static String overheard(QuorumStoreOptions options) throws IOException {
        return overheardAt(voters.get(0).address(), options.tls());
    }

    private static String overheardAt(Address voter, Optional<Tls> tls) throws IOException {
        try (Eavesdropper between = Eavesdropper.before(voter.host(), voter.port());
                QuorumStore store = QuorumStore.open(
                        new QuorumStoreOptions(List.of(new Address("127.0.0.1", between.port())), tls),
                        Namespace.DEFAULT)) {
            var unused = store.read(Role.of("the-name-of-the-role"), SHORT)
                    .toCompletableFuture()
                    .join();
            return new String(between.heard(), StandardCharsets.ISO_8859_1);
        }
    }
}
