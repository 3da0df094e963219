package dev.signet.store.quorum;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.OpenSession;
import dev.signet.store.SessionId;
import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.state.Unreadable;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Answered;
import dev.signet.store.quorum.wire.Channels;
import dev.signet.store.quorum.wire.Messages;
import dev.signet.store.quorum.wire.Methods;
import dev.signet.store.quorum.wire.Peek;
import dev.signet.store.quorum.wire.Question;
import dev.signet.store.quorum.wire.VoterStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;

/** Asks one voter and no other, by one connection: what it says is what it believes. */
final class Direct implements AutoCloseable {

    static final Namespace HERE = Namespace.DEFAULT;
    static final Duration SOON = Duration.ofSeconds(5);

    private final ManagedChannel channel;

    Direct(Address voter) {
        channel = Channels.open(voter, null, Runnable::run);
    }

    CompletableFuture<Answered> ask(Question question, Duration within) {
        return call(Methods.ASK, Messages.encode(question), within).thenApply(bytes -> {
            try {
                return Messages.answered(bytes);
            } catch (Unreadable e) {
                throw new CompletionException(e);
            }
        });
    }

    /** What it is told; empty if it does not say, for whatever reason. */
    Optional<Reply> told(Question question) {
        return ask(question, SOON)
                .handle((answered, fault) ->
                        answered instanceof Answered.Told told ? Optional.of(told.reply()) : Optional.<Reply>empty())
                .join();
    }

    Optional<Reply> told(Command command) {
        return told(new Question.Change(command));
    }

    Peek peek() {
        try {
            return Messages.peek(call(Methods.PEEK, new byte[0], SOON).join());
        } catch (Unreadable e) {
            throw new AssertionError(e);
        }
    }

    VoterStatus status() {
        try {
            return Messages.status(call(Methods.STATUS, new byte[0], SOON).join());
        } catch (Unreadable e) {
            throw new AssertionError(e);
        }
    }

    private CompletableFuture<byte[]> call(MethodDescriptor<byte[], byte[]> method, byte[] request, Duration within) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        ClientCalls.asyncUnaryCall(
                channel.newCall(method, CallOptions.DEFAULT.withDeadlineAfter(within.toNanos(), TimeUnit.NANOSECONDS)),
                request,
                new StreamObserver<>() {
                    @Override
                    public void onNext(byte[] bytes) {
                        answer.complete(bytes);
                    }

                    @Override
                    public void onError(Throwable fault) {
                        answer.completeExceptionally(fault);
                    }

                    @Override
                    public void onCompleted() {}
                });
        return answer;
    }

    static Question renew(String candidate) {
        return new Question.Renew(HERE, session(candidate));
    }

    static Question held(String candidate) {
        return new Question.Held(HERE, session(candidate));
    }

    static Question read(String role) {
        return new Question.Read(HERE, Role.of(role));
    }

    static Command open(String candidate, Duration lease) {
        return new Command.Open(
                HERE, new OpenSession(session(candidate), new CandidateId(candidate, "1"), Advertised.NOTHING, lease));
    }

    static Command take(String candidate, String role, long expectedVersion) {
        return new Command.Take(
                HERE, new Acquire(session(candidate), Role.of(role), 1, new TermId(7, 1), 0, expectedVersion));
    }

    static SessionId session(String candidate) {
        return new SessionId(candidate + "-session");
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
