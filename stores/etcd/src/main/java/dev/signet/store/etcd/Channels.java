package dev.signet.store.etcd;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Makes the connections to the members that options name. */
final class Channels {

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Duration HEARTBEAT_ANSWER = Duration.ofSeconds(3);
    private static final int LARGEST_ANSWER = 64 << 20;

    private Channels() {}

    static Members to(EtcdStoreOptions options, ScheduledExecutorService thread) {
        return new Members(
                options.members().stream()
                        .map(address -> new Member(channel(address, thread)))
                        .toList(),
                thread);
    }

    private static ManagedChannel channel(URI address, ScheduledExecutorService thread) {
        return NettyChannelBuilder.forAddress(Objects.requireNonNull(address.getHost()), EtcdStoreOptions.port(address))
                .usePlaintext()
                .executor(thread)
                .maxInboundMessageSize(LARGEST_ANSWER)
                .keepAliveTime(HEARTBEAT.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(HEARTBEAT_ANSWER.toMillis(), TimeUnit.MILLISECONDS)
                .build();
    }
}
