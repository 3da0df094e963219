package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.store.Grant;
import dev.signet.store.RoleView;
import dev.signet.store.WatchObserver;
import dev.signet.testkit.JavaChild;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several processes on one file, on the host's own clock, with signals. */
@Tag("process")
class LocalStoreProcessesTest {

    private static final Role LEDGER = Role.of("ledger");
    private static final Duration LEASE = Duration.ofMillis(1_500);

    /** The clock's resolution twice, a poll, and a machine that has other things to do. */
    private static final Duration LATE = Duration.ofMillis(1_000);

    @TempDir
    Path folder;

    private Path file;
    private LocalStore store;

    @BeforeEach
    void open() {
        file = folder.resolve("signet.db");
        LocalStore.init(file);
        store = LocalStore.open(file, Namespace.DEFAULT, LocalStoreOptions.defaults());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void theRoleOfAKilledProcessIsFreeAfterItsLeaseAndNotBefore() throws InterruptedException {
        Ask bob = new Ask(store).open(Duration.ofMinutes(1));
        BlockingQueue<RoleView> views = new LinkedBlockingQueue<>();
        long renewed;
        try (JavaChild leader = leader()) {
            store.watch(LEDGER, new Views(views));
            leader.expect("renewed");
            renewed = Long.parseLong(leader.expect("renewed"));
            leader.kill();
            for (String line : leader.rest()) {
                renewed = Long.parseLong(line.substring("renewed ".length()));
            }
        }
        RoleView view = views.poll(30, TimeUnit.SECONDS);
        while (!view.claimable()) {
            assertThat(bob.tryAcquire(LEDGER)).isEmpty();
            view = views.poll(30, TimeUnit.SECONDS);
        }
        Grant grant = bob.acquire(LEDGER);
        Duration after = Duration.ofNanos(HostClock.system().nanos() - renewed);

        System.out.printf(
                "figure: granted %d ms after the last renewal of a killed leader, lease %d ms%n",
                after.toMillis(), LEASE.toMillis());
        assertThat(grant.token().value()).isEqualTo(2);
        assertThat(after).isBetween(LEASE, LEASE.plus(LATE));
    }

    @Test
    void aLeaderThatWasPausedForLongerThanItsLeaseFindsItsSessionGone() {
        Ask bob = new Ask(store).open(Duration.ofMinutes(1));
        try (JavaChild leader = leader()) {
            leader.expect("renewed");
            leader.signal("STOP");
            awaitGrant(bob);
            leader.signal("CONT");

            leader.expect("gone");
        }
    }

    @Test
    void aLeaderThatWasPausedForLessThanItsLeaseGoesOn() {
        Ask bob = new Ask(store).open(Duration.ofMinutes(1));
        try (JavaChild leader = leader()) {
            leader.expect("renewed");
            leader.signal("STOP");
            long stopped = HostClock.system().nanos();
            while (HostClock.system().nanos() - stopped < LEASE.toNanos() / 2) {
                assertThat(bob.tryAcquire(LEDGER)).isEmpty();
            }
            leader.signal("CONT");

            leader.expect("renewed");
            leader.expect("renewed");
            assertThat(bob.tryAcquire(LEDGER)).isEmpty();
        }
    }

    @Test
    void aProcessKilledInTheMiddleOfATransactionLeavesNothingOfIt() {
        Ask ada = new Ask(store).open(Duration.ofMinutes(1));
        Grant grant = ada.acquire(LEDGER);
        try (JavaChild locker = JavaChild.start(StoreProcess.class, "lock", file.toString())) {
            locker.expect("locked");
            locker.kill();
        }

        assertThat(ada.renew()).isTrue();
        assertThat(Ask.done(store.held(ada.session, Ask.TIMEOUT))).containsExactly(grant);
        assertThat(ada.acquire(LEDGER).token().value()).isEqualTo(2);
    }

    /** A limit, shown: SQLite's lock belongs to a process, and a stopped process lets go of nothing. */
    @Test
    void aProcessStoppedWithTheWriteLockBlocksAllWritesUntilItIsKilled() {
        Ask ada = new Ask(store).open(Duration.ofMinutes(1));
        Grant grant = ada.acquire(LEDGER);
        Duration timeout = Duration.ofMillis(400);
        try (JavaChild locker = JavaChild.start(StoreProcess.class, "lock", file.toString())) {
            locker.expect("locked");
            locker.signal("STOP");

            for (int i = 0; i < 3; i++) {
                long began = System.nanoTime();
                assertThat(Ask.isUnknown(Ask.now(store.renew(ada.session, timeout))))
                        .isTrue();
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(timeout, timeout.plus(LATE));
            }
            assertThat(ada.read(LEDGER).version()).as("reads go on").isEqualTo(grant.version());

            locker.kill();
        }
        assertThat(ada.renew()).isTrue();
        assertThat(Ask.done(store.held(ada.session, Ask.TIMEOUT))).containsExactly(grant);
    }

    /** A container with a clock of its own sees the same boot id and quite another uptime. */
    @Test
    void aHolderInAnotherTimeNamespaceIsNeitherSucceededEarlyNorKeptForever() {
        Ask bob = new Ask(store).open(Duration.ofMinutes(1));
        for (String shift : List.of("100000", "-100")) {
            try (JavaChild leader = JavaChild.startUnder(
                    List.of("unshare", "--user", "--map-root-user", "--time", "--boottime", shift, "--"),
                    StoreProcess.class,
                    "lead",
                    file.toString(),
                    Long.toString(LEASE.toMillis()))) {
                leader.expect("leads");
                long began = HostClock.system().nanos();
                while (HostClock.system().nanos() - began < LEASE.toNanos() * 2) {
                    assertThat(bob.tryAcquire(LEDGER))
                            .as("taken from a live holder")
                            .isEmpty();
                }
                leader.expect("renewed");
                leader.kill();
                bob.release(awaitGrant(bob));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void nobodyStarvesWhenManyRenewAtOnce(int contenders) {
        List<long[]> renewals = new ArrayList<>();
        try (JavaChild one = renewer(contenders / 2);
                JavaChild two = renewer(contenders / 2)) {
            for (JavaChild each : List.of(one, two)) {
                for (String line : each.rest()) {
                    assertThat(line).as("each renewal is answered in time").doesNotStartWith("failed");
                    if (line.startsWith("renewals ")) {
                        String[] words = line.split(" ");
                        renewals.add(new long[] {Long.parseLong(words[1]), Long.parseLong(words[2])});
                    }
                }
            }
        }

        assertThat(renewals).hasSize(contenders);
        long total = renewals.stream().mapToLong(each -> each[0]).sum();
        long fewest = renewals.stream().mapToLong(each -> each[0]).min().orElseThrow();
        long longestMicros = renewals.stream().mapToLong(each -> each[1]).max().orElseThrow();
        System.out.printf(
                "figure: %d contenders in 2 processes: %d renewals in 2 s, the fewest of one %d, the longest wait %d ms%n",
                contenders, total, fewest, longestMicros / 1_000);
        assertThat(fewest)
                .as("renewals of the one who came least often, of %d by all", total)
                .isGreaterThan(total / contenders / 50);
    }

    private JavaChild renewer(int threads) {
        return JavaChild.start(StoreProcess.class, "renew", file.toString(), Integer.toString(threads), "2000");
    }

    private JavaChild leader() {
        JavaChild leader =
                JavaChild.start(StoreProcess.class, "lead", file.toString(), Long.toString(LEASE.toMillis()));
        leader.expect("leads");
        return leader;
    }

    private static Grant awaitGrant(Ask ask) {
        long began = System.nanoTime();
        while (System.nanoTime() - began < Duration.ofSeconds(30).toNanos()) {
            var grant = ask.tryAcquire(LEDGER);
            if (grant.isPresent()) {
                return grant.get();
            }
        }
        throw new AssertionError("the role was not granted");
    }

    private record Views(BlockingQueue<RoleView> views) implements WatchObserver {
        @Override
        public void observed(RoleView view) {
            views.add(view);
        }

        @Override
        public void broken(String cause) {}
    }
}
