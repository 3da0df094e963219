package dev.signet.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.servers.EtcdServer;
import dev.signet.servers.Proxy;
import dev.signet.store.Acquire;
import dev.signet.store.Release;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Deadline;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** etcd throws away what came before, in the worst moments. No change is missed by that, and none is told twice. */
@Tag("process")
class CompactionTest {

    private static final Role ROLE = Role.of("r");
    private static final Duration LEASE = Duration.ofSeconds(60);

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final AtomicReference<Runnable> before = new AtomicReference<>(() -> {});
    private EtcdServer server;
    private EtcdStoreOptions options;
    private Session session;
    private long version;
    private long attempt;

    @BeforeEach
    void start() {
        server = EtcdServer.alone();
        Warm.up(server.endpoint());
        options = EtcdStoreOptions.of(URI.create(server.endpoint()));
        session = Session.open(options, LEASE);
    }

    @AfterEach
    void stop() {
        thread.shutdownNow();
        session.close();
        server.close();
    }

    /** Each a grant and its release: two versions. */
    private void change(int times) {
        for (int i = 0; i < times; i++) {
            Session.done(session.store()
                    .acquire(
                            new Acquire(session.id(), ROLE, ++attempt, new TermId(attempt, 1), 0, version),
                            session.timeout()));
            Session.done(
                    session.store().release(new Release(session.id(), ROLE, attempt, version + 1), session.timeout()));
            version += 2;
        }
    }

    @Test
    void beneathAWatchWhoseConnectionWasCut() throws InterruptedException {
        try (Proxy proxy = Proxy.to(server);
                EtcdStore far = EtcdStore.open(
                        EtcdStoreOptions.of(URI.create("http://" + proxy.host() + ":" + proxy.port())),
                        Namespace.DEFAULT)) {
            Following following = new Following(ROLE, observer -> far.watch(ROLE, observer));
            change(3);
            following.until(version);
            for (int round = 0; round < 3; round++) {
                proxy.cut();
                change(20);
                server.compact();
                proxy.heal();
                change(5);

                following.until(version);
            }
            assertThat(following.causes()).isNotEmpty();
        }
    }

    /** Nothing passes, and nobody hears that the connection is gone, until it is. */
    @Test
    void beneathAWatchThatHearsNothing() throws InterruptedException {
        try (Proxy proxy = Proxy.to(server);
                EtcdStore far = EtcdStore.open(
                        EtcdStoreOptions.of(URI.create("http://" + proxy.host() + ":" + proxy.port())),
                        Namespace.DEFAULT)) {
            Following following = new Following(ROLE, observer -> far.watch(ROLE, observer));
            change(3);
            following.until(version);
            proxy.blackHole();
            change(20);
            server.compact();
            proxy.heal();
            change(5);

            following.until(version);
        }
    }

    private Members members(Predicate<Object> which) {
        return new Members(
                List.of(new Member(
                        NettyChannelBuilder.forAddress(server.host(), server.port())
                                .usePlaintext()
                                .intercept(new Before(which))
                                .build(),
                        Optional.empty())),
                Optional.empty(),
                thread);
    }

    /** It listens from a revision on that is not there any more. */
    @Test
    void betweenReadingAndListening() throws InterruptedException {
        Members members = members(message -> message instanceof WatchRequest request && request.hasCreateRequest());
        Keys keys = new Keys(options.prefix(), Namespace.DEFAULT);
        Feed feed = new Feed(members, keys, new Readings(members, keys, "it"), thread);
        try {
            before.set(() -> {
                change(20);
                server.compact();
            });
            Following following = new Following(ROLE, observer -> feed.watch(ROLE, observer));
            following.until(40);
            assertThat(following.causes()).singleElement().asString().contains("compacted");
            change(2);
            following.until(version);
        } finally {
            feed.close();
            members.close();
        }
    }

    @Test
    void betweenThePagesOfAReading() {
        List<CompletionStage<?>> acquired = new ArrayList<>();
        int roles = 1_500;
        for (int i = 0; i < roles; i++) {
            acquired.add(session.store()
                    .acquire(
                            new Acquire(session.id(), Role.of("many" + i), 1, new TermId(1, i), 0, 0),
                            session.timeout()));
        }
        acquired.forEach(each -> each.toCompletableFuture().join());
        AtomicInteger times = new AtomicInteger();
        Members members = members(message -> message instanceof RangeRequest request && request.getRevision() > 0);
        Keys keys = new Keys(options.prefix(), Namespace.DEFAULT);
        Readings readings = new Readings(members, keys, "it");
        try {
            before.set(() -> {
                change(1);
                server.compact();
                times.incrementAndGet();
            });
            CompletableFuture<Census> census = readings.census(soon());
            assertThat(census.join().views()).hasSize(roles + 1);
            assertThat(census.join().view(ROLE).version()).isEqualTo(version);

            before.set(() -> {
                change(1);
                server.compact();
                times.incrementAndGet();
            });
            assertThat(new Sessions(members, keys, readings)
                            .held(session.id(), soon())
                            .join()
                            .toString())
                    .contains("many0", "many" + (roles - 1));
            assertThat(times).hasValue(2);
        } finally {
            members.close();
        }
    }

    private static Deadline soon() {
        return Deadline.after(60, TimeUnit.SECONDS);
    }

    /** Does, once, what is to happen before such a message is sent. */
    private final class Before implements ClientInterceptor {

        private final Predicate<Object> which;

        private Before(Predicate<Object> which) {
            this.which = which;
        }

        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void sendMessage(Q message) {
                    if (which.test(message)) {
                        before.getAndSet(() -> {}).run();
                    }
                    super.sendMessage(message);
                }
            };
        }
    }
}
