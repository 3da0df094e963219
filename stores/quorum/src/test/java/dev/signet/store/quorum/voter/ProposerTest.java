package dev.signet.store.quorum.voter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.store.OpenSession;
import dev.signet.store.SessionId;
import dev.signet.store.quorum.state.Codec;
import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.state.Unreadable;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.RaftException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With a Raft server that takes entries when the test lets it, and answers what the test says. */
class ProposerTest {

    private static final RaftPeerId SELF = RaftPeerId.valueOf("1");
    private static final RaftGroupId GROUP = RaftGroupId.valueOf(new UUID(1, 2));
    private static final RaftGroupMemberId MEMBER = RaftGroupMemberId.valueOf(SELF, GROUP);
    private static final long SOON = 20;
    private static final int APPENDED_AT_ONCE = 1 << 20;

    private record Entry(RaftClientRequest request, CompletableFuture<RaftClientReply> answer) {

        Command command() {
            try {
                return Codec.command(request.getMessage().getContent().toByteArray());
            } catch (Unreadable e) {
                throw new AssertionError(e);
            }
        }

        int size() {
            return command() instanceof Command.Batch batch ? batch.commands().size() : 1;
        }

        void reply(Reply reply) {
            answer.complete(RaftClientReply.newBuilder()
                    .setRequest(request)
                    .setSuccess()
                    .setMessage(Message.valueOf(ByteString.copyFrom(Codec.bytes(reply))))
                    .build());
        }

        void refuse(RaftException why) {
            answer.complete(RaftClientReply.newBuilder()
                    .setRequest(request)
                    .setException(why)
                    .build());
        }
    }

    private final BlockingQueue<Entry> submitted = new LinkedBlockingQueue<>();
    private final List<RuntimeException> thrown = Collections.synchronizedList(new ArrayList<>());
    private final Semaphore gate = new Semaphore(Integer.MAX_VALUE / 2);
    private final Proposer proposer = new Proposer(raft(), GROUP);

    private RaftServer raft() {
        InvocationHandler answers = (proxy, method, arguments) -> switch (method.getName()) {
            case "getId" -> SELF;
            case "submitClientRequestAsync" -> {
                gate.acquire();
                if (!thrown.isEmpty()) {
                    throw thrown.remove(0);
                }
                Entry entry = new Entry((RaftClientRequest) arguments[0], new CompletableFuture<>());
                submitted.add(entry);
                yield entry.answer();
            }
            default -> throw new UnsupportedOperationException(method.getName());
        };
        return (RaftServer)
                Proxy.newProxyInstance(RaftServer.class.getClassLoader(), new Class<?>[] {RaftServer.class}, answers);
    }

    @AfterEach
    void close() {
        proposer.close();
    }

    private Entry next() throws InterruptedException {
        return Optional.ofNullable(submitted.poll(SOON, TimeUnit.SECONDS)).orElseThrow();
    }

    private static Command close(int number) {
        return new Command.Close(Entries.HERE, new SessionId("s" + number));
    }

    private static Throwable fault(CompletableFuture<Reply> reply) throws Exception {
        try {
            throw new AssertionError("answered: " + reply.get(SOON, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    private static void assertNotProposed(CompletableFuture<Reply> reply) throws Exception {
        assertThat(fault(reply)).isInstanceOf(NotProposed.class);
    }

    private static void assertUnknown(CompletableFuture<Reply> reply) throws Exception {
        assertThat(fault(reply)).isNotInstanceOf(NotProposed.class);
    }

    /** While Raft takes the first by itself. */
    private List<CompletableFuture<Reply>> meanwhile(List<Command> commands) throws InterruptedException {
        gate.drainPermits();
        List<CompletableFuture<Reply>> replies = new ArrayList<>(List.of(proposer.propose(close(-1))));
        while (gate.getQueueLength() == 0) {
            Thread.onSpinWait();
        }
        commands.forEach(command -> replies.add(proposer.propose(command)));
        gate.release(Integer.MAX_VALUE / 2);
        next().reply(new Reply.Done());
        return replies;
    }

    @Test
    void oneGoesAlone() throws Exception {
        CompletableFuture<Reply> reply = proposer.propose(close(1));

        Entry entry = next();
        assertThat(entry.command()).isEqualTo(close(1));
        entry.reply(new Reply.Gone());

        assertThat(reply.get(SOON, TimeUnit.SECONDS)).isEqualTo(new Reply.Gone());
    }

    @Test
    void whatWaitsMeanwhileGoesTogetherAndEachHasItsOwnReply() throws Exception {
        List<CompletableFuture<Reply>> replies =
                meanwhile(IntStream.range(0, 3).mapToObj(ProposerTest::close).toList());

        Entry entry = next();
        assertThat(entry.command()).isEqualTo(new Command.Batch(List.of(close(0), close(1), close(2))));
        entry.reply(new Reply.Batched(List.of(new Reply.Done(), new Reply.Gone(), new Reply.Ignored())));

        assertThat(replies.get(1).get(SOON, TimeUnit.SECONDS)).isEqualTo(new Reply.Done());
        assertThat(replies.get(2).get(SOON, TimeUnit.SECONDS)).isEqualTo(new Reply.Gone());
        assertThat(replies.get(3).get(SOON, TimeUnit.SECONDS)).isEqualTo(new Reply.Ignored());
    }

    @Test
    void noEntryHoldsMoreThanTheLedgerTakes() throws Exception {
        meanwhile(IntStream.range(0, 600).mapToObj(ProposerTest::close).toList());

        int taken = 0;
        while (taken < 600) {
            int size = next().size();
            assertThat(size).isLessThanOrEqualTo(256);
            taken += size;
        }
        assertThat(taken).isEqualTo(600);
    }

    /** Raft would refuse the whole entry, and everybody in it; and the leader would step down. */
    @Test
    void noEntryIsLongerThanRaftTakes() throws Exception {
        int many = 600;
        URI far = URI.create("https://" + "a".repeat(1_980) + ".test");
        meanwhile(IntStream.range(0, many)
                .<Command>mapToObj(i -> new Command.Open(
                        Entries.HERE,
                        new OpenSession(
                                new SessionId("s".repeat(190) + i),
                                new CandidateId("candidate", "i" + i),
                                new Advertised(Optional.of(far), Optional.of(far)),
                                Duration.ofSeconds(15))))
                .toList());

        int taken = 0;
        while (taken < many) {
            Entry entry = next();
            assertThat(entry.request().getMessage().size()).isLessThan(APPENDED_AT_ONCE / 2);
            taken += entry.size();
        }
    }

    @Test
    void whatRaftDidNotTakeIsNotInTheLog() throws Exception {
        List<RaftException> refusals = List.of(
                new LeaderNotReadyException(MEMBER),
                new LeaderSteppingDownException("steps down"),
                new StateMachineException(MEMBER, new IOException("too long")));
        for (RaftException refusal : refusals) {
            CompletableFuture<Reply> reply = proposer.propose(close(1));
            next().refuse(refusal);
            assertNotProposed(reply);
        }
    }

    /** With NotLeaderException Raft answers what is in the log, too. */
    @Test
    void whatRaftMayHaveTakenIsUnknown() throws Exception {
        CompletableFuture<Reply> lost = proposer.propose(close(1));
        next().refuse(new NotLeaderException(MEMBER, null, List.of()));
        assertUnknown(lost);

        CompletableFuture<Reply> other = proposer.propose(close(2));
        next().answer().completeExceptionally(new ResourceUnavailableException("too many, or after it was appended"));
        assertUnknown(other);

        CompletableFuture<Reply> broken = proposer.propose(close(3));
        next().answer().completeExceptionally(new IOException("anything"));
        assertUnknown(broken);
    }

    @Test
    void aReplyThatIsNoneIsUnknown() throws Exception {
        List<CompletableFuture<Reply>> replies = meanwhile(List.of(close(1), close(2)));

        next().reply(new Reply.Batched(List.of(new Reply.Done())));

        assertUnknown(replies.get(1));
        assertUnknown(replies.get(2));
    }

    @Test
    void afterAFaultOfRaftsTheNextGoOn() throws Exception {
        for (int i = 0; i < 40; i++) {
            thrown.add(new IllegalStateException("closed log"));
            assertUnknown(proposer.propose(close(i)));
        }

        CompletableFuture<Reply> reply = proposer.propose(close(99));
        next().reply(new Reply.Done());

        assertThat(reply.get(SOON, TimeUnit.SECONDS)).isEqualTo(new Reply.Done());
    }

    @Test
    void moreThanCanWaitAreNotProposed() throws Exception {
        gate.drainPermits();
        List<CompletableFuture<Reply>> replies = IntStream.range(0, 50_300)
                .mapToObj(i -> proposer.propose(close(i)))
                .toList();

        assertNotProposed(replies.get(50_299));
        assertThat(replies.get(0)).isNotDone();
    }

    /** Raft may be unable to decide anything for a while. */
    @Test
    void onlySoManyEntriesAreUnderWayAndAnAnswerLetsTheNextGo() throws Exception {
        List<Entry> underWay = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            proposer.propose(close(i));
            underWay.add(next());
        }

        proposer.propose(close(16));
        assertThat(submitted.poll(200, TimeUnit.MILLISECONDS)).isNull();
        underWay.get(3).reply(new Reply.Done());

        assertThat(next().command()).isEqualTo(close(16));
    }

    @Test
    void closingAnswersEverybodyWhoWaits() throws Exception {
        for (int i = 0; i < 16; i++) {
            proposer.propose(close(i));
            next();
        }
        List<CompletableFuture<Reply>> waiting =
                IntStream.range(0, 10).mapToObj(i -> proposer.propose(close(i))).toList();

        proposer.close();

        for (CompletableFuture<Reply> one : waiting) {
            assertNotProposed(one);
        }
        assertNotProposed(proposer.propose(close(1)));
    }
}
