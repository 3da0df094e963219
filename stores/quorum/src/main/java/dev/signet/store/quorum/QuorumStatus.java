package dev.signet.store.quorum;

import dev.signet.store.quorum.state.Unreadable;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Channels;
import dev.signet.store.quorum.wire.Messages;
import dev.signet.store.quorum.wire.Methods;
import dev.signet.store.quorum.wire.VoterStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/**
 * Asks each voter how it stands. For people and for monitoring: what the voters say is each one's opinion of the moment in which it was
 * asked, so that two may believe to lead. Whether there is a quorum is told by a question to the store that is answered.
 */
public final class QuorumStatus {

    private static final byte[] NOTHING = new byte[0];

    private QuorumStatus() {}

    /**
     * What one voter said.
     *
     * @param status empty if it did not answer
     * @param silence why there is no answer; empty if there is one
     */
    public record Told(Address address, Optional<VoterStatus> status, String silence) {}

    /**
     * Asks all at once, and blocks until each has answered, or cannot, or the time is over.
     *
     * @return in the order in which the options list them
     * @throws IllegalArgumentException if a certificate or key cannot be used
     */
    public static List<Told> ask(QuorumStoreOptions options, Duration timeout) {
        @Nullable SslContext tls = tls(options);
        List<CompletableFuture<Told>> asked =
                options.voters().stream().map(voter -> ask(voter, tls, timeout)).toList();
        return asked.stream().map(CompletableFuture::join).toList();
    }

    private static @Nullable SslContext tls(QuorumStoreOptions options) {
        try {
            return options.tls().isEmpty() ? null : options.tls().get().forClient();
        } catch (SSLException e) {
            throw new IllegalArgumentException("TLS cannot be used as it is set: " + e.getMessage(), e);
        }
    }

    private static CompletableFuture<Told> ask(Address voter, @Nullable SslContext tls, Duration timeout) {
        CompletableFuture<Told> told = new CompletableFuture<>();
        ManagedChannel channel = Channels.open(voter, tls, Runnable::run);
        ClientCalls.asyncUnaryCall(
                channel.newCall(
                        Methods.STATUS, CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS)),
                NOTHING,
                new StreamObserver<>() {
                    @Override
                    public void onNext(byte[] bytes) {
                        try {
                            told.complete(new Told(voter, Optional.of(Messages.status(bytes)), ""));
                        } catch (Unreadable e) {
                            told.complete(new Told(voter, Optional.empty(), String.valueOf(e.getMessage())));
                        }
                    }

                    @Override
                    public void onError(Throwable fault) {
                        told.complete(new Told(voter, Optional.empty(), why(Status.fromThrowable(fault))));
                    }

                    @Override
                    public void onCompleted() {}
                });
        return told.whenComplete((one, fault) -> channel.shutdownNow());
    }

    private static String why(Status status) {
        return switch (status.getCode()) {
            case UNAVAILABLE -> "cannot be reached";
            case DEADLINE_EXCEEDED -> "says nothing";
            case UNIMPLEMENTED -> "is no voter, or one of an older version";
            default -> status.getCode().toString();
        };
    }
}
