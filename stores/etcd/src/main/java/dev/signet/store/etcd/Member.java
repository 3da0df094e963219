package dev.signet.store.etcd;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A member of the cluster, and the connection to it. Thread-safe. */
final class Member {

    private static final long BETWEEN_CONNECTIONS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ManagedChannel connection;
    private final Channel channel;
    private long connectedNanos = System.nanoTime() - BETWEEN_CONNECTIONS_NANOS;

    Member(ManagedChannel connection, Optional<Login> login) {
        this.connection = connection;
        this.channel =
                ClientInterceptors.intercept(connection, login.map(List::of).orElse(List.of()));
    }

    /** What is sent there carries who we are. */
    Channel channel() {
        return channel;
    }

    /** Asks once; of a stream, for its first answer. */
    <Q, A> CompletableFuture<A> send(MethodDescriptor<Q, A> method, Q request, Deadline deadline) {
        One<A> one = new One<>();
        var call = channel.newCall(method, CallOptions.DEFAULT.withDeadline(deadline));
        if (method.getType() == MethodDescriptor.MethodType.UNARY) {
            ClientCalls.asyncUnaryCall(call, request, one);
        } else {
            StreamObserver<Q> requests = ClientCalls.asyncBidiStreamingCall(call, one);
            requests.onNext(request);
            requests.onCompleted();
        }
        return one.answer;
    }

    /** It is tried again at once, however often it was in vain. */
    void reconnect() {
        connection.resetConnectBackoff();
    }

    /** What was asked of it was not answered: the next request goes over a new connection, for this one may lead nowhere. */
    synchronized void distrust() {
        if (System.nanoTime() - connectedNanos > BETWEEN_CONNECTIONS_NANOS) {
            connectedNanos = System.nanoTime();
            connection.enterIdle();
        }
    }

    @Override
    public String toString() {
        return connection.authority();
    }

    void close() {
        connection.shutdownNow();
    }

    /** The first answer; there is no second. */
    private static final class One<A> implements StreamObserver<A> {

        private final CompletableFuture<A> answer = new CompletableFuture<>();

        @Override
        public void onNext(A value) {
            answer.complete(value);
        }

        @Override
        public void onError(Throwable fault) {
            answer.completeExceptionally(fault);
        }

        @Override
        public void onCompleted() {
            answer.completeExceptionally(
                    Status.UNAVAILABLE.withDescription("no answer").asRuntimeException());
        }
    }
}
