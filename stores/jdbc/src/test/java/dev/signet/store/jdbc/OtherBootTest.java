package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.store.RoleView;
import dev.signet.store.WatchObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of another boot id: of this host before it was restarted, or of another kernel that is up and well. */
class OtherBootTest {

    private static final Role LEDGER = Role.of("ledger");
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration NEARLY = LEASE.minusSeconds(1);

    private final ManualClock hereClock = new ManualClock("here");
    private final ManualClock thereClock = new ManualClock("there");

    @TempDir
    Path folder;

    private LocalStore here;
    private LocalStore there;

    @BeforeEach
    void open() {
        Path file = folder.resolve("signet.db");
        LocalStore.init(file);
        LocalStoreOptions options = LocalStoreOptions.defaults();
        here = LocalStore.open(file, Namespace.DEFAULT, options.withClock(hereClock));
        there = LocalStore.open(file, Namespace.DEFAULT, options.withClock(thereClock));
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    @Test
    void afterARestartOfTheHostARoleIsGrantedOnceItsRecordStoodStillForAWholeLease() {
        new Ask(there).open(LEASE).acquire(LEDGER);
        hereClock.pass(Duration.ofDays(1));
        Ask bob = new Ask(here).open(LEASE);

        assertThat(bob.tryAcquire(LEDGER)).isEmpty();
        hereClock.pass(NEARLY);
        assertThat(bob.tryAcquire(LEDGER)).isEmpty();
        hereClock.pass(Duration.ofSeconds(2));
        assertThat(bob.acquire(LEDGER).token().value()).isEqualTo(2);
    }

    @Test
    void aHolderOnALiveOtherKernelKeepsItsRoleAsLongAsItRenews() {
        Ask ada = new Ask(there).open(LEASE);
        ada.acquire(LEDGER);
        Ask bob = new Ask(here).open(Duration.ofHours(1));

        for (int i = 0; i < 5; i++) {
            assertThat(bob.tryAcquire(LEDGER)).isEmpty();
            hereClock.pass(NEARLY);
            assertThat(ada.renew()).isTrue();
        }
    }

    @Test
    void aWatcherIsToldWhenARecordOfAnotherBootStoodStillForAWholeLease() throws InterruptedException {
        new Ask(there).open(LEASE).acquire(LEDGER);
        BlockingQueue<RoleView> views = new LinkedBlockingQueue<>();
        here.watch(LEDGER, new WatchObserver() {
            @Override
            public void observed(RoleView view) {
                views.add(view);
            }

            @Override
            public void broken(String cause) {}
        });
        RoleView first = views.poll(10, TimeUnit.SECONDS);
        assertThat(first.claimable()).isFalse();
        assertThat(first.claimableIn().orElseThrow()).isGreaterThanOrEqualTo(LEASE);

        hereClock.pass(LEASE.plusSeconds(1));

        assertThat(views.poll(10, TimeUnit.SECONDS).claimable()).isTrue();
    }

    @Test
    void aSessionThatGoesOnOnAnotherClockIsJudgedByThatClockFromThenOn() {
        Ask ada = new Ask(there).open(LEASE);
        ada.acquire(LEDGER);
        here.renew(ada.session, Ask.TIMEOUT).toCompletableFuture().join();
        Ask bob = new Ask(here).open(LEASE);
        assertThat(bob.tryAcquire(LEDGER)).isEmpty();

        hereClock.pass(LEASE.plusSeconds(1));

        assertThat(bob.acquire(LEDGER).token().value()).isEqualTo(2);
    }
}
