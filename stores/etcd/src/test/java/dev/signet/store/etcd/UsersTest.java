package dev.signet.store.etcd;

import static dev.signet.store.etcd.Refusals.notPermitted;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.signet.Answer;
import dev.signet.servers.EtcdOptions;
import dev.signet.servers.EtcdServer;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.grpc.Deadline;
import io.grpc.netty.NettyChannelBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On an etcd that asks who comes, and soon forgets whom it knew. */
@Tag("process")
class UsersTest {

    private static final Duration LEASE = Duration.ofSeconds(60);

    private final AtomicInteger asked = new AtomicInteger();
    private EtcdServer server;

    @BeforeEach
    void start() {
        server = EtcdServer.alone(EtcdOptions.defaults().withTokensThatLast(Duration.ofSeconds(1)));
        server.addUser("ada", "ge-heim");
        server.addUser("eve", "ge-heim");
        server.permit("ada", "signet/");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private EtcdStoreOptions nobody() {
        return EtcdStoreOptions.of(URI.create(server.endpoint()));
    }

    private EtcdStoreOptions as(String user, String password) {
        return nobody().withUser(new EtcdUser(user, () -> {
            asked.incrementAndGet();
            return password;
        }));
    }

    @Test
    void whoMayIsLetInAndNobodyElse() {
        server.askForUsers("of-root");

        notPermitted(nobody(), "asks for a user and a password");
        notPermitted(as("ada", "guessed"), "does not let us in", "check user, password");
        notPermitted(as("nobody", "ge-heim"), "does not let us in");
        notPermitted(as("eve", "ge-heim"), "denies", "readwrite");
        notPermitted(as("ada", "ge-heim").withPrefix("other"), "denies", "readwrite");
        EtcdStore.init(as("ada", "ge-heim"));
        try (Session session = Session.open(as("ada", "ge-heim"), LEASE)) {
            assertThat(session.acquire("r").token().value()).isEqualTo(1);
            assertThat(session.store().traits().name()).doesNotContain("ada");
        }
    }

    @Test
    void aForgottenTokenIsNoLostSession() throws InterruptedException {
        server.askForUsers("of-root");
        EtcdStoreOptions options = as("ada", "ge-heim");
        EtcdStore.init(options);
        try (Session session = Session.open(options, LEASE)) {
            session.acquire("before");
            int before = asked.get();
            awaitForgotten();

            session.renew();
            session.acquire("after");

            assertThat(asked.get()).as("it was asked for anew, once").isEqualTo(before + 1);
            assertThat(Session.done(session.store().held(session.id(), session.timeout())))
                    .hasSize(2);
        }
    }

    /** A token that is used last, now, outlives those before it. */
    private void awaitForgotten() throws InterruptedException {
        Login login = new Login(new EtcdUser("ada", () -> "ge-heim"));
        Member member = new Member(
                NettyChannelBuilder.forAddress(server.host(), server.port())
                        .usePlaintext()
                        .build(),
                Optional.of(login));
        try {
            login.ready(member, soon()).join();
            long idle = 2;
            do {
                assertThat(idle).as("seconds for which it knows a token").isLessThan(100);
                idle *= 2;
                TimeUnit.SECONDS.sleep(idle);
            } while (knows(member));
        } finally {
            member.close();
        }
    }

    private static Deadline soon() {
        return Deadline.after(30, TimeUnit.SECONDS);
    }

    private static boolean knows(Member member) {
        RangeRequest request = RangeRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8("signet/store"))
                .build();
        return member.send(KVGrpc.getRangeMethod(), request, soon())
                .handle((found, fault) -> {
                    assertThat(fault == null || Faults.isStaleToken(fault)).isTrue();
                    return fault == null;
                })
                .join();
    }

    /** It forgets all tokens. */
    @Test
    void theRestartOfAMemberIsNoLostSession() {
        server.askForUsers("of-root");
        EtcdStoreOptions options = as("ada", "ge-heim");
        EtcdStore.init(options);
        try (Session session = Session.open(options, LEASE)) {
            session.acquire("before");

            server.restart();

            session.renew();
            session.acquire("after");
        }
    }

    @Test
    void whatIsTakenAwayFromAUserIsUnknownToHisSession() {
        server.askForUsers("of-root");
        EtcdStoreOptions options = as("ada", "ge-heim");
        EtcdStore.init(options);
        try (Session session = Session.open(options, LEASE)) {
            server.forbid("ada");

            assertThat(session.ask("r", 0)).isInstanceOf(Answer.Unknown.class);

            server.permit("ada", "signet/");
            session.renew();
            session.acquire("r");
        }
    }

    @Test
    void whoNamesAUserWhereNobodyIsAskedForIsLetInAndStaysWhenThatChanges() {
        EtcdStoreOptions options = as("ada", "ge-heim");
        EtcdStore.init(options);
        try (Session session = Session.open(options, LEASE)) {
            session.acquire("before");

            server.askForUsers("of-root");

            session.renew();
            session.acquire("after");
        }
    }
}
