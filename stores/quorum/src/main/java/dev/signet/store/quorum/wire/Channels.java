package dev.signet.store.quorum.wire;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/** How voters are reached, by each other and by candidates. */
public final class Channels {

    public static final int LARGEST_MESSAGE = 64 << 20;

    private static final long CONNECT_MILLIS = 1_000;

    private Channels() {}

    /** @param tls null for none */
    public static ManagedChannel open(Address address, @Nullable SslContext tls, Executor executor) {
        NettyChannelBuilder channel = NettyChannelBuilder.forAddress(address.host(), address.port())
                .executor(executor)
                .maxInboundMessageSize(LARGEST_MESSAGE)
                .withOption(org.apache.ratis.thirdparty.io.netty.channel.ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        CONNECT_MILLIS)
                .keepAliveTime(10, TimeUnit.SECONDS)
                .keepAliveTimeout(3, TimeUnit.SECONDS);
        return (tls == null ? channel.usePlaintext() : channel.sslContext(tls)).build();
    }
}
