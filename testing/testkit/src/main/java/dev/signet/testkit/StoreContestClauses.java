package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Many at a time: C1 above all, and whatever else a common history can tell. */
abstract class StoreContestClauses extends StoreCrowdClauses {

    private static final List<Role> ROLES = List.of(Role.of("ledger"), Role.of("nightly"), Role.of("billing"));
    private static final int CONTENDERS = 8;
    private static final int ENOUGH = 50;
    private static final int TOO_FEW = 10;
    private static final Duration PROCESSES_LONGEST = Duration.ofSeconds(40);
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

    @TestFactory
    @Busy
    @Checks({StoreClause.C1, StoreClause.C2, StoreClause.C3, StoreClause.C5})
    List<DynamicTest> whatContendersWriteDownWhoseProcessIsKilledBreaksNoPromise() {
        return where(Shared.class, shared -> {
            Path folder = newFolder();
            ContestProcess.Task doomed =
                    new ContestProcess.Task(shared, namespace(), ROLES, aLease(), folder.resolve("doomed"), 1);
            ContestProcess.Task survives =
                    new ContestProcess.Task(shared, namespace(), ROLES, aLease(), folder.resolve("survivor"), 2);
            try (JavaChild victim = doomed.start();
                    JavaChild survivor = survives.start()) {
                until(() -> doomed.grants() >= TOO_FEW && survives.grants() > 0);
                victim.kill();
                long killed = nanos();
                long before = survives.grants();
                until(() -> survives.grants() >= before + TOO_FEW && nanos() - killed > 2 * aLease().toNanos());
                survivor.endInput();
                survivor.expect("done");
            }

            List<StoreEvent> history = new ArrayList<>(doomed.events());
            history.addAll(survives.events());
            int grants = ContestCheck.check(history);
            System.out.printf(
                    "figure: %s: two processes of contenders, one killed, were granted %d terms%n",
                    getClass().getSimpleName(), grants);
            passLease();
            StoreActor after = actor("after");
            for (Role role : ROLES) {
                long last = after.read(role).lastToken();
                assertThat(after.acquire(role).token().value()).isEqualTo(last + 1);
            }
        });
    }

    private static Path newFolder() {
        try {
            return Files.createTempDirectory("signet-contest");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void until(BooleanSupplier condition) {
        long latest = System.nanoTime() + PROCESSES_LONGEST.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - latest)
                    .as("time is up, after %s", PROCESSES_LONGEST)
                    .isNegative();
            sleep(50);
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** A lease in some hundred milliseconds where time is a test's own; in a lease where it is everybody's. */
    private void passALittle() {
        sleep(2);
        pass(aLease().dividedBy(100));
    }
}
