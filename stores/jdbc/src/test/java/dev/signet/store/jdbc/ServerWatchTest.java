package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Role;
import dev.signet.store.Grant;
import dev.signet.store.RoleView;
import dev.signet.store.WatchObserver;
import dev.signet.testkit.JavaChild;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What watchers in other processes hear, and how soon. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class ServerWatchTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SLACK = Duration.ofSeconds(10);
    private static final int ROLES = 200;

    private Site site;

    @AfterEach
    void close() {
        site.close();
    }

    private static final class Seen implements WatchObserver {

        private volatile long version = -1;
        private volatile boolean claimable;
        private volatile boolean wentBack;
        private volatile boolean broken;

        @Override
        public void observed(RoleView view) {
            wentBack |= view.version() < version;
            claimable = view.claimable();
            version = view.version();
        }

        @Override
        public void broken(String cause) {
            broken = true;
        }
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void nothingIsMissedWhileHundredsOfRolesChangeHands(Product product) throws InterruptedException {
        site = Site.on(product);
        JdbcStore watching = site.store();
        Map<Role, Seen> seen = new HashMap<>();
        for (int i = 0; i < ROLES; i++) {
            Role role = Role.of("role " + i);
            seen.put(role, new Seen());
            watching.watch(role, seen.get(role));
        }
        List<JavaChild> children = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) {
                children.add(site.closing(
                        JavaChild.start(StoreProcess.class, "churn", site.url, "" + i, "" + ROLES, "3000")));
            }
            long changes = 0;
            for (JavaChild child : children) {
                changes += Long.parseLong(child.expect("changed "));
            }
            assertThat(changes).isGreaterThan(ROLES);
        } finally {
            children.forEach(JavaChild::close);
        }
        Map<Role, Long> versions = new HashMap<>();
        for (RoleView view : Ask.done(watching.roles(LONG))) {
            versions.put(view.role(), view.version());
        }
        assertThat(versions).hasSizeGreaterThan(ROLES / 4);
        Site.await(
                "all versions are seen",
                Site.OPTIONS.pollInterval().plus(SLACK),
                () -> versions.entrySet().stream()
                        .allMatch(entry -> seen.get(entry.getKey()).version == entry.getValue()));
        assertThat(seen.values()).noneMatch(each -> each.wentBack).noneMatch(each -> each.broken);
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void aReleaseWakesWhoWaitsInAnotherProcess(Product product, TestReporter reporter) throws InterruptedException {
        site = Site.on(product);
        JdbcStoreOptions options =
                Site.OPTIONS.withPollInterval(Duration.ofSeconds(product == Product.POSTGRESQL ? 10 : 1));
        JdbcStore watching = site.store(Disturbance.NONE, options);
        Ask ada = site.candidate(LONG);
        Role role = Role.of("watched");
        List<Long> micros = new ArrayList<>();
        for (int i = 0; i < (product == Product.POSTGRESQL ? 60 : 6); i++) {
            Grant grant = ada.acquire(role);
            CountDownLatch held = new CountDownLatch(1);
            CountDownLatch free = new CountDownLatch(1);
            var watch = watching.watch(role, new WatchObserver() {
                @Override
                public void observed(RoleView view) {
                    held.countDown();
                    if (view.claimable()) {
                        free.countDown();
                    }
                }

                @Override
                public void broken(String cause) {}
            });
            assertThat(held.await(8, TimeUnit.SECONDS))
                    .as("the first view, and not by the poll")
                    .isTrue();
            long began = System.nanoTime();
            ada.release(grant);
            assertThat(free.await(30, TimeUnit.SECONDS)).isTrue();
            micros.add(Site.since(began).toNanos() / 1_000);
            watch.close();
        }
        micros.sort(Long::compare);
        long median = micros.get(micros.size() / 2);
        long p99 = micros.get(micros.size() * 99 / 100);
        reporter.publishEntry(product + ": from release to wake-up", "median " + median + " us, p99 " + p99 + " us");
        if (product == Product.POSTGRESQL) {
            assertThat(Duration.ofNanos(median * 1_000)).as("not by its poll").isLessThan(Duration.ofSeconds(1));
        } else {
            assertThat(Duration.ofNanos(p99 * 1_000))
                    .isLessThan(
                            options.pollInterval().multipliedBy(6).dividedBy(5).plus(SLACK));
        }
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void whatIsCommittedLateIsSeen(Product product) throws SQLException {
        site = Site.on(product);
        JdbcStore watching = site.store();
        Ask ada = site.candidate(LONG);
        Role role = Role.of("late");
        ada.release(ada.acquire(role));
        Seen seen = new Seen();
        watching.watch(role, seen);
        Site.await("the first view", SLACK, () -> seen.version > 0);
        Connection late = site.transaction();
        Site.execute(late, "UPDATE signet_role SET version = " + product.micros() + " WHERE name = 'late'");
        long version = Product.number(late, "SELECT version FROM signet_role WHERE name = 'late'");
        for (int i = 0; i < 20; i++) {
            Role other = Role.of("other " + i);
            ada.release(ada.acquire(other));
            Site.pause(Duration.ofMillis(100));
        }
        assertThat(seen.version).isLessThan(version);
        late.commit();

        Site.await(
                "the late one",
                Site.OPTIONS.pollInterval().multipliedBy(16).plus(SLACK),
                () -> seen.version == version);
    }

    /** A standby that had to confirm it, a disk, or the server itself stood still for so long. */
    @ParameterizedTest
    @EnumSource(Product.class)
    void whatIsCommittedAMinuteLateIsSeenInTheEnd(Product product) throws SQLException {
        site = Site.on(product);
        site.execute("INSERT INTO signet_role (namespace, name, version, token) VALUES ('default', 'late', "
                + product.micros() + " - 70000000, 0)");
        JdbcStore watching = site.store();
        Seen seen = new Seen();
        watching.watch(Role.of("late"), seen);
        Site.await("the first view", SLACK, () -> seen.version > 0);
        long first = seen.version;
        site.execute("UPDATE signet_role SET version = version + 10000000 WHERE name = 'late'");

        Site.await(
                "the late one", Site.OPTIONS.pollInterval().multipliedBy(16).plus(SLACK), () -> seen.version > first);
    }

    /** What {@link StoreProcess} does in a process of its own. */
    static long churn(JdbcStore store, int seed, int roles, Duration time) {
        Ask ask = new Ask(store).open(LONG);
        Random random = new Random(seed);
        long changes = 0;
        long began = System.nanoTime();
        while (Site.since(began).compareTo(time) < 0 || changes <= roles) {
            Role role = Role.of("role " + random.nextInt(roles));
            RoleView view = ask.read(role);
            if (view.claimable()) {
                var grant = ask.tryAcquire(role);
                if (grant.isPresent()) {
                    changes++;
                    if (random.nextInt(4) != 0) {
                        ask.release(grant.get());
                        changes++;
                    }
                }
            }
        }
        return changes;
    }
}
