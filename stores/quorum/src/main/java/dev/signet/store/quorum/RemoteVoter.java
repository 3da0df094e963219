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
import org.apache.ratis.thirdparty.io.grpc.ConnectivityState;
import org.apache.ratis.thirdparty.io.grpc.Deadline;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;

/** A voter as candidates know it, and the connection to it. Thread-safe. */
final class RemoteVoter {

    private static final long SHORTEST_TRUST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_TRUST_NANOS = TimeUnit.SECONDS.toNanos(8);

    private final Address address;
    private final ManagedChannel channel;
    private final @Nullable Voter beside;
    private long trustNanos = SHORTEST_TRUST_NANOS;
    private long connectedNanos = System.nanoTime() - LONGEST_TRUST_NANOS;
    private long heardNanos = System.nanoTime() - LONGEST_TRUST_NANOS;
    private long toldNanos = System.nanoTime() - LONGEST_TRUST_NANOS;

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
        return (own != null ? own.answer(question) : askRemotely(question, deadline)).thenApply(this::noted);
    }

    private synchronized Answered noted(Answered answered) {
        heard();
        if (answered instanceof Answered.Told) {
            toldNanos = heardNanos;
        }
        return answered;
    }

    boolean isConnected() {
        return channel.getState(false) == ConnectivityState.READY;
    }

    /** Something came from it. */
    synchronized void heard() {
        heardNanos = System.nanoTime();
        trustNanos = SHORTEST_TRUST_NANOS;
    }

    /** Whether it has said since then what only a leader can say: it is busy rather than silent. */
    synchronized boolean hasToldSince(long nanos) {
        return toldNanos - nanos > 0;
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

    /**
     * It said nothing: the next question goes over a new connection, for this one may lead nowhere. Not so if other things came over it
     * lately, or if it is still being made; and ever more seldom, for new connections are what a voter that is busy needs least.
     */
    synchronized void distrust() {
        long now = System.nanoTime();
        if (isConnected() && now - heardNanos > SHORTEST_TRUST_NANOS && now - connectedNanos > trustNanos) {
            connectedNanos = now;
            trustNanos = Math.min(LONGEST_TRUST_NANOS, 2 * trustNanos);
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
