package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.state.Unreadable;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Channels;
import dev.signet.store.quorum.wire.Introduction;
import dev.signet.store.quorum.wire.Messages;
import dev.signet.store.quorum.wire.Methods;
import dev.signet.store.quorum.wire.Peek;
import dev.signet.store.quorum.wire.VoterStatus;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/** The other voters, for what Raft has no question for. Thread-safe. */
final class Peers implements AutoCloseable {

    private static final byte[] NOTHING = new byte[0];

    private final @Nullable SslContext tls;
    private final Executor executor;
    private final Map<Address, ManagedChannel> channels = new ConcurrentHashMap<>();

    Peers(@Nullable SslContext tls, Executor executor) {
        this.tls = tls;
        this.executor = executor;
    }

    /** Fails if there is no answer in time. */
    CompletableFuture<Peek> peek(Address voter, Duration timeout) {
        return ask(voter, Methods.PEEK, Messages::peek, timeout);
    }

    /** The same. */
    CompletableFuture<VoterStatus> status(Address voter, Duration timeout) {
        return ask(voter, Methods.STATUS, Messages::status, timeout);
    }

    /** What those of these that answer in time say. */
    Map<String, Introduction> introductions(Map<String, Address> voters, Duration timeout) {
        Map<String, CompletableFuture<Introduction>> asked = new TreeMap<>();
        voters.forEach((id, voter) -> asked.put(id, ask(voter, Methods.MEET, Messages::introduction, timeout)));
        Map<String, Introduction> answers = new TreeMap<>();
        asked.forEach((id, answer) -> {
            var unused = answer.handle((said, fault) -> said == null ? null : answers.put(id, said))
                    .join();
        });
        return answers;
    }

    private interface Meaning<T> {
        T of(byte[] bytes) throws Unreadable;
    }

    private <T> CompletableFuture<T> ask(
            Address voter, MethodDescriptor<byte[], byte[]> method, Meaning<T> meaning, Duration timeout) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        ManagedChannel channel = channels.computeIfAbsent(voter, address -> Channels.open(address, tls, executor));
        ClientCalls.asyncUnaryCall(
                channel.newCall(method, CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS)),
                NOTHING,
                new StreamObserver<>() {
                    @Override
                    public void onNext(byte[] bytes) {
                        try {
                            answer.complete(meaning.of(bytes));
                        } catch (Unreadable e) {
                            answer.completeExceptionally(e);
                        }
                    }

                    @Override
                    public void onError(Throwable fault) {
                        channel.resetConnectBackoff();
                        answer.completeExceptionally(fault);
                    }

                    @Override
                    public void onCompleted() {}
                });
        return answer;
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
    }
}
