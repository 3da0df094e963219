package dev.signet.store.quorum;

import dev.signet.store.quorum.wire.Address;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;

/** A voter as candidates know it, and the connection to it. Thread-safe. */
final class RemoteVoter {

    private static final long BETWEEN_CONNECTIONS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Address address;
    private final ManagedChannel channel;
    private long connectedNanos = System.nanoTime() - BETWEEN_CONNECTIONS_NANOS;

    RemoteVoter(Address address, ManagedChannel channel) {
        this.address = address;
        this.channel = channel;
    }

    Address address() {
        return address;
    }

    ManagedChannel channel() {
        return channel;
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
