package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.signet.testkit.FenceClause;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The scenarios against the fence itself, and against fences that are wrong in one way each. */
class SqliteFenceTest {

    private static final int AT_ONCE = 4;

    @TestFactory
    Stream<DynamicTest> sealAndCheck() {
        return tests(CheckScenarios.ALL);
    }

    @TestFactory
    Stream<DynamicTest> triggers() {
        return tests(TriggerScenarios.ALL);
    }

    private static Stream<DynamicTest> tests(List<Scenario> scenarios) {
        return scenarios.stream()
                .map(scenario ->
                        dynamicTest(scenario.name(), () -> scenario.body().run(new SqliteDialect())));
    }

    @Test
    @Tag("process")
    void everyMutantIsCaught() throws Exception {
        List<String> survivors = new ArrayList<>();
        survivors.addAll(survivors("seal and check", Mutants.OF_CHECK, SqliteFenceTest::inSealOrCheck));
        survivors.addAll(survivors("triggers", Mutants.OF_TRIGGERS, dialect -> in(TriggerScenarios.ALL, dialect)));
        for (Map.Entry<String, String> equivalent : Mutants.EQUIVALENT) {
            System.out.printf("MUTANT %-14s %-50s %s%n", "seal and check", equivalent.getKey(), equivalent.getValue());
        }
        assertThat(survivors).as("mutants that no scenario caught").isEmpty();
    }

    private static Optional<String> inSealOrCheck(Dialect dialect) {
        return new SqliteFenceContract(dialect)
                .firstFailure(EnumSet.allOf(FenceClause.class))
                .or(() -> in(CheckScenarios.ALL, dialect));
    }

    private static Optional<String> in(List<Scenario> scenarios, Dialect dialect) {
        return scenarios.stream()
                .filter(scenario -> fails(scenario, dialect))
                .findFirst()
                .map(Scenario::name);
    }

    /** Side by side, as they mostly wait. */
    private static List<String> survivors(
            String area, Map<String, Dialect> mutants, Function<Dialect, Optional<String>> hunt) throws Exception {
        List<String> survivors = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            Map<String, Future<Optional<String>>> hunts = new LinkedHashMap<>();
            mutants.forEach((name, dialect) -> hunts.put(name, threads.submit(() -> hunt.apply(dialect))));
            for (Map.Entry<String, Future<Optional<String>>> each : hunts.entrySet()) {
                String caught = each.getValue().get().orElse("");
                System.out.printf(
                        "MUTANT %-14s %-50s %s%n",
                        area, each.getKey(), caught.isEmpty() ? "SURVIVED" : "caught: " + caught);
                if (caught.isEmpty()) {
                    survivors.add(area + ": " + each.getKey());
                }
            }
        } finally {
            threads.shutdownNow();
        }
        return survivors;
    }

    private static boolean fails(Scenario scenario, Dialect dialect) {
        try {
            scenario.body().run(dialect);
            return false;
        } catch (Throwable e) {
            return true;
        }
    }
}
