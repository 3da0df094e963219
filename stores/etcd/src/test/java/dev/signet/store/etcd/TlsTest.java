package dev.signet.store.etcd;

import static dev.signet.store.etcd.Refusals.notPermitted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.Answer;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreException;
import dev.signet.servers.EtcdOptions;
import dev.signet.servers.EtcdServer;
import dev.signet.servers.Transport;
import io.grpc.Server;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On an etcd that shows a certificate, and one that also asks for one. */
@Tag("process")
class TlsTest {

    private static final Duration LEASE = Duration.ofSeconds(60);

    private static EtcdServer server;
    private static EtcdServer asking;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        EtcdOptions withTls = EtcdOptions.defaults().withTransport(Transport.TLS);
        server = EtcdServer.alone(withTls);
        asking = EtcdServer.alone(withTls.askingForCertificates());
    }

    @AfterAll
    static void stop() {
        server.close();
        asking.close();
    }

    private static EtcdStoreOptions at(EtcdServer one) {
        return EtcdStoreOptions.of(URI.create(one.endpoint()));
    }

    private static EtcdTls trusting(EtcdServer one) {
        return EtcdTls.defaults().withAuthority(one.authority());
    }

    private static EtcdTls as(EtcdServer authority, String name) {
        List<Path> certificate = authority.certificateOf(name);
        return trusting(asking).withCertificate(certificate.get(0), certificate.get(1));
    }

    private static void assertWorks(EtcdStoreOptions options) {
        EtcdStore.init(options);
        try (Session session = Session.open(options, LEASE)) {
            session.renew();
            assertThat(session.store().traits().name()).startsWith("etcds://");
        }
    }

    @Test
    void theMemberIsKnownByItsAuthority() {
        assertWorks(at(server).withTls(trusting(server)));
        assertWorks(EtcdStoreOptions.of(URI.create("https://localhost:" + server.port()))
                .withTls(trusting(server)));
    }

    @Test
    void aMemberOfAnotherAuthorityIsNotBelieved() {
        notPermitted(at(server), "do not trust each other", "check the certificates");
        notPermitted(at(server).withTls(trusting(asking)), "do not trust each other");
    }

    @Test
    void oneThatIsKnownIsAskedWhereAnotherIsNot() {
        assertWorks(EtcdStoreOptions.of(URI.create(asking.endpoint()), URI.create(server.endpoint()))
                .withTls(trusting(server)));
    }

    /** One of them may have taken it, for all that is known. */
    @Test
    void thatOneIsNotBelievedIsNoRefusalWhereAnotherSaysNothing() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                EtcdStore store = EtcdStore.open(
                        EtcdStoreOptions.of(
                                        URI.create("https://127.0.0.1:" + silent.getLocalPort()),
                                        URI.create(asking.endpoint()))
                                .withTls(trusting(server)),
                        Namespace.DEFAULT)) {
            assertThat(store.read(Role.of("r"), Duration.ofSeconds(3))
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Answer.Unknown.class);
        }
    }

    /** A certificate of the right authority, which is not of the host that was called. */
    @Test
    void whoIsSomebodyElseIsNotBelieved() throws IOException {
        List<Path> other = server.certificateOf("other");
        Server impostor = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .sslContext(GrpcSslContexts.forServer(
                                other.get(0).toFile(), other.get(1).toFile())
                        .build())
                .build()
                .start();
        try {
            notPermitted(
                    EtcdStoreOptions.of(URI.create("https://127.0.0.1:" + impostor.getPort()))
                            .withTls(trusting(server)),
                    "do not trust each other",
                    "name");
        } finally {
            impostor.shutdownNow();
        }
    }

    @Test
    void whoShowsNoCertificateWhereOneIsAskedForIsRefused() {
        notPermitted(at(asking).withTls(trusting(asking)), "do not trust each other", "certificate");
        notPermitted(at(asking).withTls(as(server, "stranger")), "do not trust each other");
        assertWorks(at(asking).withTls(as(asking, "friend")));
    }

    /** Whatever listens there hears the beginning of a handshake and nothing else. */
    @Test
    void nothingIsSentInClear() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            CompletableFuture<byte[]> heard = CompletableFuture.supplyAsync(() -> {
                try (Socket client = listener.accept()) {
                    client.setSoTimeout(1_000);
                    return client.getInputStream().readNBytes(5);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            EtcdStoreOptions options = EtcdStoreOptions.of(URI.create("https://127.0.0.1:" + listener.getLocalPort()))
                    .withUser(new EtcdUser("ada", () -> "ge-heim"));
            try (EtcdStore store = EtcdStore.open(options, Namespace.DEFAULT)) {
                var unused = store.roles(Duration.ofSeconds(5));
                assertThat(heard.get()).startsWith(0x16, 0x03);
            }
        }
    }

    @Test
    void plainMembersAreNotNamedWithTlsNorOthersWithout() {
        URI plain = URI.create("http://127.0.0.1:1");
        URI secure = URI.create("https://127.0.0.1:1");

        assertThatThrownBy(() -> EtcdStoreOptions.of(secure, plain))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write https");
        assertThatThrownBy(() -> EtcdStoreOptions.of(plain).withTls(EtcdTls.defaults()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write https");
    }

    @Test
    void filesThatCannotBeUsedAreNamed() throws IOException {
        Path none = folder.resolve("none.pem");
        Path text = Files.writeString(folder.resolve("text.pem"), "no certificate", StandardCharsets.UTF_8);
        List<Path> right = asking.certificateOf("right");

        assertUnusable(EtcdTls.defaults().withAuthority(none), none + " is not there");
        assertUnusable(EtcdTls.defaults().withAuthority(text), text + " holds no certificate");
        assertUnusable(
                EtcdTls.defaults().withCertificate(right.get(0), text), "openssl pkcs8 -topk8 -nodes -in " + text);
        assertThatThrownBy(() ->
                        EtcdStore.open(at(server).withTls(EtcdTls.defaults().withAuthority(none)), Namespace.DEFAULT))
                .isInstanceOf(StoreException.class);
    }

    private static void assertUnusable(EtcdTls tls, String told) {
        assertThatThrownBy(() -> EtcdStore.id(at(server).withTls(tls)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(told);
    }
}
