package dev.signet.store.etcd;

import io.grpc.ManagedChannel;
import java.util.concurrent.TimeUnit;

/** A member of the cluster, and the connection to it. Thread-safe. */
final class Member {

    private static final long BETWEEN_CONNECTIONS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ManagedChannel channel;
    private long connectedNanos = System.nanoTime() - BETWEEN_CONNECTIONS_NANOS;

    Member(ManagedChannel channel) {
        this.channel = channel;
    }

    ManagedChannel channel() {
        return channel;
    }

    /** It is tried again at once, however often it was in vain. */
    void reconnect() {
        channel.resetConnectBackoff();
    }

    /** What was asked of it was not answered: the next request goes over a new connection, for this one may lead nowhere. */
    synchronized void distrust() {
        if (System.nanoTime() - connectedNanos > BETWEEN_CONNECTIONS_NANOS) {
            connectedNanos = System.nanoTime();
            channel.enterIdle();
        }
    }

    @Override
    public String toString() {
        return channel.authority();
    }

    void close() {
        channel.shutdownNow();
    }
}
