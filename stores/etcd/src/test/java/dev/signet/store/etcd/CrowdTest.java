package dev.signet.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.Candidate;
import dev.signet.Namespace;
import dev.signet.Protection;
import dev.signet.Role;
import dev.signet.Signet;
import dev.signet.servers.EtcdServer;
import dev.signet.store.NotGranted;
import dev.signet.store.NotGranted.Reason;
import dev.signet.store.Release;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What etcd's own election and lock do badly.
 *
 * @see <a href="https://github.com/etcd-io/etcd/issues/20716">a member that many waiting candidates wedge</a>
 * @see <a href="https://github.com/etcd-io/etcd/issues/11456">a waiter whose lease is over, and who wins</a>
 */
@Tag("process")
class CrowdTest {

    private static final int ROLES = 300;
    private static final int CANDIDATES = 4;
    private static final Duration SHORT = Duration.ofSeconds(3);

    private EtcdServer server;
    private EtcdStoreOptions options;

    @BeforeEach
    void start() {
        server = EtcdServer.alone();
        Warm.up(server.endpoint());
        options = EtcdStoreOptions.of(URI.create(server.endpoint()));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static Role role(int number) {
        return Role.of("role-" + number);
    }

    @Test
    void theHolderOfThreeHundredRolesDiesWhileTwelveHundredWait() throws InterruptedException {
        List<AutoCloseable> open = new ArrayList<>();
        Set<String> led = ConcurrentHashMap.newKeySet();
        try (Session holder = Session.open(options, SHORT)) {
            for (int i = 0; i < ROLES; i++) {
                holder.acquire(role(i).name());
                holder.renew();
            }
            for (int c = 0; c < CANDIDATES; c++) {
                EtcdStore store = EtcdStore.open(options, Namespace.DEFAULT);
                Candidate candidate = Signet.candidate("candidate-" + c, store).join();
                for (int i = 0; i < ROLES; i++) {
                    Role role = role(i);
                    var unused = candidate.campaign(role, Protection.unfenced("a test"), term -> {
                        assertThat(led.add(role.name() + " " + term.token())).isTrue();
                    });
                }
                open.add(candidate::close);
                open.add(store);
                holder.renew();
            }
            // from here on it is dead
            long died = System.nanoTime();
            while (led.size() < ROLES) {
                assertThat(System.nanoTime() - died)
                        .as("%d are led", led.size())
                        .isLessThan(TimeUnit.SECONDS.toNanos(90));
                Thread.sleep(20);
            }
            System.out.printf(
                    "figure: %d roles were led again %d ms after the last renewal, lease %d ms%n",
                    ROLES, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - died), SHORT.toMillis());
            for (int i = 0; i < ROLES; i++) {
                assertThat(led).contains(role(i).name() + " 2");
            }
            assertThat(led).hasSize(ROLES);

            // the member is none the worse for it
            try (Session another = Session.open(options, SHORT)) {
                assertThat(another.acquire("another").token().value()).isEqualTo(1);
                another.renew();
            }
        } finally {
            for (AutoCloseable each : open) {
                close(each);
            }
        }
        long told = System.nanoTime();
        server.stop();
        assertThat(System.nanoTime() - told).as("it ends by itself").isLessThan(TimeUnit.SECONDS.toNanos(15));
    }

    private static void close(AutoCloseable each) {
        try {
            each.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** It was told that the role is free, and is itself no more: it wins nothing, and no token is spent on it. */
    @Test
    void whoWaitedLongerThanItsLeaseWinsNothing() throws InterruptedException {
        try (Session holder = Session.open(options, Duration.ofSeconds(60));
                Session waiting = Session.open(options, Duration.ofSeconds(2))) {
            holder.acquire("r");
            Following following =
                    new Following(Role.of("r"), observer -> waiting.store().watch(Role.of("r"), observer));
            following.until(1);
            awaitEnd(waiting);
            Session.done(holder.store().release(new Release(holder.id(), Role.of("r"), 1, 1), holder.timeout()));
            assertThat(following.until(2).claimable()).isTrue();

            Answer<?, NotGranted> answer = waiting.ask("r", 2);

            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            refused -> assertThat(((NotGranted) refused.why()).reason())
                                    .isEqualTo(Reason.SESSION_GONE));
            assertThat(Session.read(holder.store(), "r").lastToken()).isEqualTo(1);
            assertThat(Session.read(holder.store(), "r").holder()).isEmpty();
        }
    }

    /** Without a heartbeat that would prolong it. */
    private static void awaitEnd(Session session) throws InterruptedException {
        long begun = System.nanoTime();
        while (!(session.store()
                        .held(session.id(), session.timeout())
                        .toCompletableFuture()
                        .join()
                instanceof Answer.Refused)) {
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(60));
            Thread.sleep(100);
        }
    }
}
