package dev.signet.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.store.OpenSession;
import dev.signet.store.SessionId;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.Deadline;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionTest {

    @ParameterizedTest
    @ValueSource(strings = {"3.4.31", "3.4.40", "3.5.13", "3.5.16", "3.6.0", "3.6.0-rc.1", "3.10.2", "4.0.0"})
    void keepsLeases(String version) {
        assertThat(Version.parse(version).keepsLeases()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.3.8", "3.3.27", "3.4.9", "3.4.30", "3.5.0", "3.5.9", "3.5.12"})
    void mayEndALeaseThatItSaidWasRenewed(String version) {
        assertThat(Version.parse(version).keepsLeases()).isFalse();
    }

    /** Says which version it is, and nothing else. */
    private static Server serverOf(String version, CountDownLatch asked) throws Exception {
        return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(MaintenanceGrpc.bindService(new MaintenanceGrpc.AsyncService() {
                    @Override
                    public void status(StatusRequest request, StreamObserver<StatusResponse> answer) {
                        answer.onNext(
                                StatusResponse.newBuilder().setVersion(version).build());
                        answer.onCompleted();
                        asked.countDown();
                    }
                }))
                .build()
                .start();
    }

    @Test
    void eachOldMemberIsNamed() throws Exception {
        Server old = serverOf("3.5.12", new CountDownLatch(1));
        Server fine = serverOf("3.5.13", new CountDownLatch(1));
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        Members members = new Members(List.of(member(fine), member(old)), Optional.empty(), thread);
        BlockingQueue<String> named = new LinkedBlockingQueue<>();
        try {
            members.findOld(Deadline.after(60, TimeUnit.SECONDS), named::add);

            assertThat(named.poll(60, TimeUnit.SECONDS)).isEqualTo("etcd 3.5.12 at 127.0.0.1:" + old.getPort());
            assertThat(named).isEmpty();
        } finally {
            members.close();
            old.shutdownNow();
            fine.shutdownNow();
            thread.shutdownNow();
        }
    }

    private static Member member(Server server) {
        return new Member(
                NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                        .usePlaintext()
                        .build(),
                Optional.empty());
    }

    @Test
    void whoeverOpensASessionAsks() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        Server server = serverOf("3.5.12", asked);
        try (EtcdStore store = EtcdStore.open(
                EtcdStoreOptions.of(URI.create("http://127.0.0.1:" + server.getPort())), Namespace.DEFAULT)) {
            var unused = store.open(
                    new OpenSession(
                            SessionId.random(),
                            CandidateId.incarnationOf("ada"),
                            Advertised.NOTHING,
                            Duration.ofSeconds(15)),
                    Duration.ofSeconds(1));

            assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            server.shutdownNow();
        }
    }
}
