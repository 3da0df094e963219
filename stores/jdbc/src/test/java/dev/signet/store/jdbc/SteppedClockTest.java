package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.store.Grant;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server's clock is set while a holder renews: nobody takes over early, and a dead holder is succeeded about a lease later. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class SteppedClockTest {

    private static final Role LEDGER = Role.of("ledger");
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration SLACK = Duration.ofSeconds(4);

    private Site site;

    @AfterEach
    void close() {
        site.close();
    }

    /** What the server's clock shows beside the true time stands in a table. */
    private static Disturbance clockOf(Product product) {
        return new Disturbance() {
            @Override
            public String rewritten(String sql) {
                return sql.equals("SELECT " + product.micros()) ? sql + " + (SELECT micros FROM test_step)" : sql;
            }
        };
    }

    /** A holder that renews, on a thread of its own, and says how punctual it was. */
    private static final class Heart implements Runnable {

        private final Ask holder;
        private final Thread thread = new Thread(this);
        private volatile boolean alive = true;
        private volatile boolean lost;
        private volatile long longestGapNanos;
        private int renewals;

        Heart(Ask holder) {
            this.holder = holder;
            thread.start();
        }

        @Override
        public void run() {
            long last = System.nanoTime();
            while (alive && !lost) {
                lost = Ask.now(holder.store.renew(holder.session, Ask.TIMEOUT)) instanceof Answer.Refused;
                long now = System.nanoTime();
                longestGapNanos = Math.max(longestGapNanos, now - last);
                last = now;
                renewals++;
                Site.pause(LEASE.dividedBy(20));
            }
        }

        /** Whether the host let it live: where it did not, losing the role is right. */
        boolean stop() throws InterruptedException {
            alive = false;
            thread.join();
            return longestGapNanos < LEASE.toNanos() * 8 / 10;
        }
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, PT1H", "POSTGRESQL, PT-1H", "MARIADB, PT1H", "MARIADB, PT-1H"})
    void noEarlyTakeoverAndNoLateOne(Product product, Duration step, TestReporter reporter)
            throws SQLException, InterruptedException {
        site = Site.on(product);
        site.execute("CREATE TABLE test_step (micros BIGINT NOT NULL)");
        site.execute("INSERT INTO test_step VALUES (0)");
        JdbcStore holders = site.store(clockOf(product));
        JdbcStore challengers = site.store(clockOf(product));
        for (int told = 0; told < 5; told++) {
            site.execute("UPDATE test_step SET micros = 0");
            Role role = Role.of("role " + told);
            Ask challenger = new Ask(challengers).open(Duration.ofMinutes(5));
            Ask holder = new Ask(holders).open(LEASE);
            holder.acquire(role);
            Heart heart = new Heart(holder);
            pollFor(challenger, role, LEASE.dividedBy(2));
            site.execute("UPDATE test_step SET micros = " + step.toNanos() / 1_000);
            Optional<Grant> early = pollFor(challenger, role, LEASE.multipliedBy(2));
            if (!heart.stop()) {
                continue;
            }
            long died = System.nanoTime();
            assertThat(early).isEmpty();
            assertThat(heart.lost).isFalse();

            Optional<Grant> grant = pollFor(challenger, role, LEASE.plus(SLACK));
            reporter.publishEntry(
                    product + ": clock stepped by " + step,
                    heart.renewals + " renewals, taken over " + Site.since(died).toMillis()
                            + " ms after the last, lease " + LEASE.toMillis() + " ms");
            assertThat(grant.map(Grant::token)).hasValue(FencingToken.of(2));
            return;
        }
        throw new AssertionError("this host is too busy to renew a lease of " + LEASE);
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, PT1H", "POSTGRESQL, PT-1H", "MARIADB, PT1H", "MARIADB, PT-1H"})
    void whoWasDeadWhenTheClockWasSetIsSucceededWithinALease(Product product, Duration step) throws SQLException {
        site = Site.on(product);
        site.execute("CREATE TABLE test_step (micros BIGINT NOT NULL)");
        site.execute("INSERT INTO test_step VALUES (0)");
        Ask holder = new Ask(site.store(clockOf(product))).open(LEASE);
        Ask challenger = new Ask(site.store(clockOf(product))).open(Duration.ofMinutes(5));
        assertThat(challenger.renew()).isTrue();
        holder.acquire(LEDGER);
        assertThat(holder.renew()).isTrue();
        long died = System.nanoTime();
        site.execute("UPDATE test_step SET micros = " + step.toNanos() / 1_000);

        Optional<Grant> grant = pollFor(challenger, LEDGER, LEASE.plus(SLACK));
        assertThat(Site.since(died)).isGreaterThanOrEqualTo(LEASE.minusMillis(50));
        assertThat(grant.map(Grant::token)).hasValue(FencingToken.of(2));
    }

    private static Optional<Grant> pollFor(Ask challenger, Role role, Duration time) {
        long began = System.nanoTime();
        while (Site.since(began).compareTo(time) < 0) {
            Optional<Grant> grant = challenger.tryAcquire(role);
            if (grant.isPresent()) {
                return grant;
            }
            Site.pause(Duration.ofMillis(20));
        }
        return Optional.empty();
    }
}
