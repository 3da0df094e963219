package dev.signet.store.etcd;

import dev.signet.StoreException;
import dev.signet.store.StoreRefusal;
import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Makes the connections to the members that options name. */
final class Channels {

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Duration HEARTBEAT_ANSWER = Duration.ofSeconds(3);
    private static final int LARGEST_ANSWER = 64 << 20;

    private Channels() {}

    /** @throws StoreException if a file of TLS cannot be used */
    static Members to(EtcdStoreOptions options, ScheduledExecutorService thread) {
        Optional<SslContext> tls = options.tls().map(Channels::context);
        Optional<Login> login = options.user().map(Login::new);
        return new Members(
                options.members().stream()
                        .map(address -> new Member(channel(address, tls, thread), login))
                        .toList(),
                login,
                thread);
    }

    private static ManagedChannel channel(URI address, Optional<SslContext> tls, ScheduledExecutorService thread) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(
                        Objects.requireNonNull(address.getHost()), EtcdStoreOptions.port(address))
                .executor(thread)
                .maxInboundMessageSize(LARGEST_ANSWER)
                .keepAliveTime(HEARTBEAT.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(HEARTBEAT_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        // with a context and without usePlaintext nothing leaves before the other side has proved to be that host
        return (tls.isPresent() ? builder.sslContext(tls.get()) : builder.usePlaintext()).build();
    }

    private static SslContext context(EtcdTls tls) {
        try {
            SslContextBuilder context = GrpcSslContexts.forClient();
            if (tls.authority().isPresent()) {
                Path authority = readable(tls.authority().get());
                read(authority, "holds no certificate in PEM", () -> context.trustManager(authority.toFile()));
            }
            if (tls.certificate().isPresent()) {
                Path certificate = readable(tls.certificate().get());
                Path key = readable(tls.key().orElseThrow());
                read(
                        key,
                        "and " + certificate
                                + " are no key and certificate in PEM; a key of another form is converted by: openssl"
                                + " pkcs8 -topk8 -nodes -in " + key + " -out NEW",
                        () -> context.keyManager(certificate.toFile(), key.toFile()));
            }
            return context.build();
        } catch (SSLException e) {
            throw refusal("TLS cannot be used: " + e.getMessage(), e);
        }
    }

    private static Path readable(Path file) {
        if (!Files.isReadable(file)) {
            throw refusal(
                    "the file " + file + (Files.exists(file) ? " may not be read by this user" : " is not there"),
                    null);
        }
        return file;
    }

    private static void read(Path file, String otherwise, Runnable reading) {
        try {
            reading.run();
        } catch (IllegalArgumentException e) {
            throw refusal("the file " + file + " " + otherwise, e);
        }
    }

    private static StoreException refusal(String why, @Nullable Exception cause) {
        return new StoreException(new StoreRefusal(StoreRefusal.Kind.NOT_PERMITTED, why), cause);
    }
}
