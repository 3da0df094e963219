package dev.signet.store.quorum;

import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Channels;
import dev.signet.store.quorum.wire.Messages;
import dev.signet.store.quorum.wire.Methods;
import dev.signet.store.quorum.wire.Replacement;
import dev.signet.store.quorum.wire.Tls;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;

/** What those who run a quorum do to it. Where voters ask for certificates, it takes that of a voter. */
public final class QuorumCare {

    private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(100);

    private QuorumCare() {}

    /**
     * Puts a voter in the place of another. The new one runs already, started with {@code join} and the list of voters as it is to be;
     * the old one should not run any more. Blocks until the new one knows everything and votes, or until that has failed. Idempotent.
     *
     * @param options the voters as they are
     * @param timeout for all of it
     * @return why it was not done, or is not known to have been; empty once it was
     */
    public static Optional<String> replace(QuorumStoreOptions options, Replacement replacement, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            StringBuilder why = new StringBuilder();
            for (Address voter : options.voters()) {
                Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
                try {
                    return replace(voter, options.tls(), replacement, left);
                } catch (StatusRuntimeException e) {
                    why.append(why.isEmpty() ? "" : "; ")
                            .append(voter)
                            .append(": ")
                            .append(text(e.getStatus()));
                }
            }
            if (System.nanoTime() - deadline >= 0 || !pause()) {
                return Optional.of(why.toString());
            }
        }
    }

    private static String text(Status status) {
        return status.getCode()
                + Optional.ofNullable(status.getDescription())
                        .map(text -> ", " + text)
                        .orElse("");
    }

    /** Until another voter leads, or this one can be reached. */
    private static boolean pause() {
        try {
            Thread.sleep(BETWEEN_ROUNDS.toMillis());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** @throws StatusRuntimeException if this voter cannot say */
    private static Optional<String> replace(
            Address voter, Optional<Tls> tls, Replacement replacement, Duration timeout) {
        ManagedChannel channel = null;
        try {
            channel = Channels.open(voter, tls.isEmpty() ? null : tls.get().forClient(), Runnable::run);
            byte[] answer = ClientCalls.blockingUnaryCall(
                    channel,
                    Methods.REPLACE,
                    CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS),
                    Messages.encode(replacement));
            return Optional.of(new String(answer, StandardCharsets.UTF_8)).filter(text -> !text.isEmpty());
        } catch (SSLException e) {
            throw new IllegalArgumentException("TLS cannot be used as it is set: " + e.getMessage(), e);
        } finally {
            if (channel != null) {
                channel.shutdownNow();
            }
        }
    }
}
