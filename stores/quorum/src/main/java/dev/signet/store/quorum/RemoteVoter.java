package dev.signet.store.quorum;

import dev.signet.store.quorum.state.Unreadable;
import dev.signet.store.quorum.voter.Voter;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Answered;
import dev.signet.store.quorum.wire.Messages;
import dev.signet.store.quorum.wire.Methods;
import dev.signet.store.quorum.wire.Question;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.Deadline;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;

/** A voter as candidates know it, and the connection to it. Thread-safe. */
final class RemoteVoter {

    private static final long BETWEEN_CONNECTIONS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Address address;
    private final ManagedChannel channel;
    private final @Nullable Voter beside;
    private long connectedNanos = System.nanoTime() - BETWEEN_CONNECTIONS_NANOS;

    /** @param beside the voter itself, if it is of this process: what it can say, nobody need be asked for over the network */
    RemoteVoter(Address address, ManagedChannel channel, @Nullable Voter beside) {
        this.address = address;
        this.channel = channel;
        this.beside = beside;
    }

    Address address() {
        return address;
    }

    ManagedChannel channel() {
        return channel;
    }

    /** Fails with a {@link Status} where it gave no answer. */
    CompletableFuture<Answered> ask(Question question, Deadline deadline) {
        Voter own = beside;
        return own != null ? own.answer(question) : askRemotely(question, deadline);
    }

    private CompletableFuture<Answered> askRemotely(Question question, Deadline deadline) {
        CompletableFuture<Answered> answer = new CompletableFuture<>();
        ClientCalls.asyncUnaryCall(
                channel.newCall(Methods.ASK, CallOptions.DEFAULT.withDeadline(deadline)),
                Messages.encode(question),
                new StreamObserver<>() {
                    @Override
                    public void onNext(byte[] bytes) {
                        try {
                            answer.complete(Messages.answered(bytes));
                        } catch (Unreadable e) {
                            answer.completeExceptionally(Status.UNIMPLEMENTED
                                    .withDescription("it answered with " + e.getMessage())
                                    .asRuntimeException());
                        }
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

    /** It is tried again at once, however often it was in vain. */
    void reconnect() {
        channel.resetConnectBackoff();
    }

    /** It said nothing: the next question goes over a new connection, for this one may lead nowhere. */
    synchronized void distrust() {
        if (System.nanoTime() - connectedNanos > BETWEEN_CONNECTIONS_NANOS) {
            connectedNanos = System.nanoTime();
            channel.enterIdle();
        }
    }

    void close() {
        channel.shutdownNow();
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
