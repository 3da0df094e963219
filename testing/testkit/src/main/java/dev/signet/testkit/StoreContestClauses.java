package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many at a time: C1 above all, and whatever else a common history can tell. */
abstract class StoreContestClauses extends StoreCrowdClauses {

    private static final List<Role> ROLES = List.of(Role.of("ledger"), Role.of("nightly"), Role.of("billing"));
    private static final int CONTENDERS = 8;
    private static final int ENOUGH = 50;
    private static final int TOO_FEW = 10;
    private static final Duration LONGEST = Duration.ofSeconds(20);

    @Test
    @Busy
    @Checks({StoreClause.C1, StoreClause.C2, StoreClause.C5, StoreClause.C9, StoreClause.C16})
    void whatManyContendersWriteDownBreaksNoPromise() throws InterruptedException {
        ConcurrentLinkedQueue<StoreEvent> history = new ConcurrentLinkedQueue<>();
        AtomicInteger granted = new AtomicInteger();
        Contest contest = new Contest(ROLES, aLease(), timeout(), this::nanos, event -> {
            history.add(event);
            granted.addAndGet(event.kind() == StoreEvent.Kind.GRANTED ? 1 : 0);
        });
        long seed = ThreadLocalRandom.current().nextInt(1_000);
        long began = nanos();
        long latest = System.nanoTime() + LONGEST.toNanos();

        contest.run(
                CONTENDERS,
                this::connected,
                seed,
                () -> (granted.get() < ENOUGH || nanos() - began < 2 * aLease().toNanos())
                        && System.nanoTime() - latest < 0,
                this::passALittle);

        int grants = ContestCheck.check(new ArrayList<>(history));
        System.out.printf(
                "figure: %s: %d contenders were granted %d terms, seed %d%n",
                getClass().getSimpleName(), CONTENDERS, grants, seed);
        assertThat(grants).as("grants: without many, this says nothing").isGreaterThan(TOO_FEW);
    }

    /** A lease in some hundred milliseconds where time is a test's own; in a lease where it is everybody's. */
    private void passALittle() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
        pass(aLease().dividedBy(100));
    }
}
