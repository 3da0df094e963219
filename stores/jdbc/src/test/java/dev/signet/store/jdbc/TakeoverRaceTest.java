package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.Role;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.Renewed;
import dev.signet.store.SessionGone;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A renewal and a takeover that meet at the lease's end, hundreds of times: never do both succeed (C17). */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class TakeoverRaceTest {

    private static final Duration LEASE = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int PAIRS = 3;
    private static final int ROLES = 6;
    private static final int ROUNDS = 18;

    private final AtomicInteger renewed = new AtomicInteger();
    private final AtomicInteger takenOver = new AtomicInteger();

    @ParameterizedTest
    @EnumSource(Product.class)
    void neverDoBothSucceed(Product product, TestReporter reporter) throws InterruptedException {
        ConcurrentLinkedQueue<Throwable> faults = new ConcurrentLinkedQueue<>();
        try (Site site = Site.on(product)) {
            List<Thread> threads = new ArrayList<>();
            for (int pair = 0; pair < PAIRS; pair++) {
                JdbcStore holders = site.store();
                JdbcStore challengers = site.store();
                for (int i = 0; i < ROLES; i++) {
                    Role role = Role.of("role " + pair + " " + i);
                    Random random = new Random(pair * 1_000L + i);
                    threads.add(new Thread(() -> {
                        try {
                            race(holders, new Ask(challengers).open(LONG), role, random);
                        } catch (RuntimeException | AssertionError e) {
                            faults.add(e);
                        }
                    }));
                }
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        reporter.publishEntry(
                product + ": races", "renewed " + renewed + ", taken over " + takenOver + ", faults " + faults);
        assertThat(faults).isEmpty();
        assertThat(renewed.get()).isGreaterThan(10);
        assertThat(takenOver.get()).isGreaterThan(10);
    }

    private void race(JdbcStore holders, Ask challenger, Role role, Random random) {
        long token = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Ask holder = new Ask(holders).open(LEASE);
            token++;
            assertThat(holder.acquire(role).token().value()).isEqualTo(token);
            long began = System.nanoTime();
            assertThat(holder.renew()).isTrue();
            Acquire request = challenger.request(challenger.read(role));
            LockSupport.parkNanos(
                    LEASE.toNanos() - (System.nanoTime() - began) + random.nextInt(8_000_000) - 1_000_000);
            long sent = System.nanoTime();
            CompletableFuture<Answer<Renewed, SessionGone>> renewal;
            CompletableFuture<Answer<Grant, NotGranted>> takeover;
            if (random.nextBoolean()) {
                renewal = holder.store.renew(holder.session, LONG).toCompletableFuture();
                LockSupport.parkNanos(random.nextInt(2_000_000));
                takeover = challenger.store.acquire(request, LONG).toCompletableFuture();
            } else {
                takeover = challenger.store.acquire(request, LONG).toCompletableFuture();
                LockSupport.parkNanos(random.nextInt(2_000_000));
                renewal = holder.store.renew(holder.session, LONG).toCompletableFuture();
            }
            boolean lives = Ask.now(renewal) instanceof Answer.Done;
            boolean granted = Ask.now(takeover) instanceof Answer.Done;
            // on a host that stands still, another lease may have passed before the takeover was looked at
            boolean inTime = Site.since(sent).compareTo(LEASE) < 0;
            assertThat(lives && granted && inTime).as("both").isFalse();
            if (granted) {
                takenOver.incrementAndGet();
                Grant grant = Ask.done(takeover);
                token++;
                assertThat(grant.token().value()).isEqualTo(token);
                assertThat(Ask.now(holder.store.renew(holder.session, LONG))).isInstanceOf(Answer.Refused.class);
                challenger.release(grant);
            } else {
                assertThat(lives).as("the holder, where nobody took its place").isTrue();
                renewed.incrementAndGet();
                Ask.done(holder.store.close(holder.session, LONG));
            }
        }
    }
}
