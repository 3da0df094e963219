package dev.signet.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.servers.EtcdServer;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long is told to whoever looks. */
@Tag("process")
class RemainingTest {

    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final Duration WINDOW = Duration.ofSeconds(40);

    private static EtcdServer server;
    private static EtcdStoreOptions options;

    @BeforeAll
    static void start() {
        server = EtcdServer.alone();
        Warm.up(server.endpoint());
        options = EtcdStoreOptions.of(URI.create(server.endpoint()));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static RoleView listed(EtcdStore store, String role) {
        return Session.done(store.roles(Duration.ofSeconds(30))).stream()
                .filter(view -> view.role().equals(Role.of(role)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void untilTheHoldersLeaseEnds() throws InterruptedException {
        try (Session holder = Session.open(options, LEASE)) {
            holder.acquire("held");
            TimeUnit.SECONDS.sleep(3);

            for (RoleView view :
                    new RoleView[] {Session.read(holder.store(), "held"), listed(holder.store(), "held")}) {
                assertThat(view.claimable()).isFalse();
                assertThat(view.claimableIn().orElseThrow()).isPositive().isLessThanOrEqualTo(LEASE.minusSeconds(3));
                assertThat(view.reservation()).isEmpty();
            }
            holder.renew();
            assertThat(Session.read(holder.store(), "held").claimableIn().orElseThrow())
                    .isGreaterThan(LEASE.minusSeconds(30));
            Session.done(holder.store().release(new Release(holder.id(), Role.of("held"), 1, 1), holder.timeout()));
            assertThat(Session.read(holder.store(), "held").claimableIn()).isEmpty();
            assertThat(listed(holder.store(), "held").claimableIn()).isEmpty();
        }
    }

    @Test
    void untilAWindowCloses() throws InterruptedException {
        Role role = Role.of("kept");
        try (Session holder = Session.open(options, LEASE);
                Session target = Session.open(options, LEASE)) {
            holder.acquire("kept");
            Session.done(target.store().enlist(target.id(), role, target.timeout()));
            Session.done(holder.store()
                    .reserve(new Reserve(holder.id(), role, 1, target.candidate(), WINDOW), holder.timeout()));
            TimeUnit.SECONDS.sleep(3);

            for (RoleView view :
                    new RoleView[] {Session.read(holder.store(), "kept"), listed(holder.store(), "kept")}) {
                RoleView.Reservation kept = view.reservation().orElseThrow();
                assertThat(kept.target()).isEqualTo(target.candidate());
                assertThat(kept.remaining()).isPositive().isLessThanOrEqualTo(WINDOW.minusSeconds(3));
            }
        }
    }

    @Test
    void whatWasNeverLedIsClaimableNow() {
        try (EtcdStore store = EtcdStore.open(options, Namespace.DEFAULT)) {
            assertThat(Session.read(store, "never")).isEqualTo(RoleView.absent(Role.of("never")));
        }
    }
}
