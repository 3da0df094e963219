package dev.signet.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.servers.EtcdServer;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.NotGranted.Reason;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What happens between the reading that a request is decided on and its write, on a real etcd: each guard has one that needs it. */
@Tag("process")
class InterleavedTest {

    private static final Role ROLE = Role.of("daily");
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final Duration LONG = Duration.ofSeconds(30);

    private static EtcdServer server;
    private static int namespaces;

    private final Namespace namespace = new Namespace("interleaved" + ++namespaces);
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final AtomicReference<Runnable> between = new AtomicReference<>(() -> {});
    private final SessionId me = SessionId.random();
    private final SessionId other = SessionId.random();
    private EtcdStore store;
    private Members members;
    private Roles late;

    @BeforeAll
    static void start() {
        server = EtcdServer.alone();
        Warm.up(server.endpoint());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        EtcdStoreOptions options = EtcdStoreOptions.of(URI.create(server.endpoint()));
        EtcdStore.init(options);
        store = EtcdStore.open(options, namespace);
        for (SessionId session : List.of(me, other)) {
            done(store.open(new OpenSession(session, candidate(session), Advertised.NOTHING, LEASE), LONG));
        }
        members = new Members(
                List.of(new Member(
                        NettyChannelBuilder.forAddress(server.host(), server.port())
                                .usePlaintext()
                                .intercept(new BeforeItsWrite())
                                .build(),
                        Optional.empty())),
                Optional.empty(),
                thread);
        Keys keys = new Keys(options.prefix(), namespace);
        late = new Roles(members, keys, new Readings(members, keys, options.name()));
    }

    @AfterEach
    void close() {
        members.close();
        store.close();
        thread.shutdownNow();
    }

    private CandidateId candidate(SessionId session) {
        return new CandidateId(session.equals(me) ? "me" : "other", "0".repeat(32));
    }

    private static <D> D done(CompletionStage<? extends Answer<D, ?>> answer) {
        Answer<D, ?> given = answer.toCompletableFuture().join();
        assertThat(given).isInstanceOf(Answer.Done.class);
        return ((Answer.Done<D, ?>) given).value();
    }

    private static Acquire acquire(SessionId session, long attempt, long version) {
        return new Acquire(session, ROLE, attempt, new TermId(attempt, version), 0, version);
    }

    private Answer<Grant, NotGranted> lateAcquire(long version) {
        return late.acquire(acquire(me, 1, version), Deadline.after(LONG.toSeconds(), TimeUnit.SECONDS))
                .join();
    }

    private void assertRefused(Reason reason, Answer<Grant, NotGranted> answer) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.why())
                                .isInstanceOfSatisfying(
                                        NotGranted.class,
                                        why -> assertThat(why.reason()).isEqualTo(reason)));
    }

    private RoleView now() {
        return done(store.read(ROLE, LONG));
    }

    @Test
    void grantedAndGivenBackInBetween() {
        between.set(() -> {
            done(store.acquire(acquire(other, 1, 0), LONG));
            done(store.release(new Release(other, ROLE, 1, 1), LONG));
        });
        assertRefused(Reason.MOVED, lateAcquire(0));
        assertThat(now().lastToken()).isEqualTo(1);
        assertThat(now().holder()).isEmpty();
    }

    @Test
    void grantedInBetween() {
        between.set(() -> done(store.acquire(acquire(other, 1, 0), LONG)));
        assertRefused(Reason.HELD, lateAcquire(0));
        assertThat(now().holder().orElseThrow().candidate()).isEqualTo(candidate(other));
    }

    @Test
    void closedInBetween() {
        between.set(() -> done(store.close(me, LONG)));
        assertRefused(Reason.SESSION_GONE, lateAcquire(0));
        assertThat(now()).isEqualTo(RoleView.absent(ROLE));
    }

    /** The record has another version than that release expects, and so stays as it is. */
    @Test
    void releasedInBetween() {
        between.set(() -> done(store.release(new Release(me, ROLE, 1, 7), LONG)));
        assertRefused(Reason.RELEASED, lateAcquire(0));
        assertThat(now()).isEqualTo(RoleView.absent(ROLE));
    }

    /** A refusal that is being noted, while its reason passes. */
    @Test
    void givenBackWhileItIsRefused() {
        done(store.acquire(acquire(other, 1, 0), LONG));
        long version = now().version();
        between.set(() -> done(store.release(new Release(other, ROLE, 1, version), LONG)));
        assertRefused(Reason.MOVED, lateAcquire(version));
    }

    /** A release that would give back what was granted after it was decided. */
    @Test
    void grantedAnewWhileItIsReleased() {
        done(store.acquire(acquire(me, 1, 0), LONG));
        between.set(() -> done(store.acquire(acquire(me, 2, 1), LONG)));
        late.release(new Release(me, ROLE, 1, 1), Deadline.after(LONG.toSeconds(), TimeUnit.SECONDS))
                .join();
        assertThat(now().lastToken()).isEqualTo(2);
        assertThat(now().claimable()).isFalse();
    }

    /** Does, once, what is to happen before a transaction that writes is sent. */
    private final class BeforeItsWrite implements ClientInterceptor {

        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void sendMessage(Q message) {
                    if (message instanceof TxnRequest request
                            && request.getSuccessList().stream().anyMatch(RequestOp::hasRequestPut)) {
                        between.getAndSet(() -> {}).run();
                    }
                    super.sendMessage(message);
                }
            };
        }
    }
}
