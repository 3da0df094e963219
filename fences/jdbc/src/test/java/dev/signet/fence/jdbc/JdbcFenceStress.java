package dev.signet.fence.jdbc;

import dev.signet.testkit.FenceStress;
import dev.signet.testkit.FenceStressOutcome;
import dev.signet.testkit.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Isolated;

/** {@link FenceStress} on a database: its test extends this class and says how a site is made, and at which levels it writes. */
@Tag("process")
@Isolated("its writers keep the machine busy")
abstract class JdbcFenceStress {

    /** For seals, and for who counts. */
    private static final int SPARE_CONNECTIONS = 6;

    /** A new one; it is closed here. */
    protected abstract JdbcSite site();

    protected abstract Set<IsolationLevel> levels();

    @TestFactory
    final List<DynamicTest> busyWritersNeitherStarveASealNorGetPastIt() {
        List<DynamicTest> tests = new ArrayList<>();
        for (IsolationLevel level : levels()) {
            for (int writers : List.of(8, 32)) {
                FenceStress stress = new FenceStress(level, writers, 40);
                tests.add(DynamicTest.dynamicTest(
                        writers + " writers, at " + level,
                        () -> fenced("fenced", site(), stress).assertFenced()));
            }
        }
        return tests;
    }

    @TestFactory
    final List<DynamicTest> withoutAFenceTheOracleSeesViolations() {
        return levels().stream()
                .map(level -> DynamicTest.dynamicTest(
                        "at " + level,
                        () -> run("control", site(), new FenceStress(level, 8, 10), FenceStress::runWithoutFence)
                                .assertSeen()))
                .toList();
    }

    static FenceStressOutcome fenced(String what, JdbcSite site, FenceStress stress) throws InterruptedException {
        return run(what, site, stress, FenceStress::run);
    }

    private static FenceStressOutcome run(String what, JdbcSite site, FenceStress stress, Run run)
            throws InterruptedException {
        try (JdbcSite pooled = site.pooled(stress.level(), stress.writers() + SPARE_CONNECTIONS)) {
            FenceStressOutcome outcome = run.of(stress, pooled);
            System.out.printf(
                    "FIGURE %s, %s, %d writers, %s: %s%n",
                    what, pooled.product(), stress.writers(), stress.level(), outcome.figures());
            return outcome;
        }
    }

    private interface Run {
        FenceStressOutcome of(FenceStress stress, JdbcSite site) throws InterruptedException;
    }
}
