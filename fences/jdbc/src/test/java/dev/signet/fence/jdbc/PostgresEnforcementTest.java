package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** What PostgreSQL itself refuses, on a real server. */
@Tag("process")
class PostgresEnforcementTest {

    @TestFactory
    Stream<DynamicTest> triggers() {
        return tests(EnforceScenarios.ALL);
    }

    @TestFactory
    Stream<DynamicTest> races() {
        return tests(EnforceRaces.ALL);
    }

    @TestFactory
    Stream<DynamicTest> tables() {
        return tests(EnforceTables.ALL);
    }

    @Test
    @Timeout(600)
    void everyMutantIsCaught() {
        List<String> survivors = new ArrayList<>();
        EnforceMutants.ALL.forEach((name, dialect) -> {
            String caught = Stream.of(EnforceScenarios.ALL, EnforceRaces.ALL, EnforceTables.ALL)
                    .flatMap(List::stream)
                    .filter(scenario -> EnforceMutants.isFailed(scenario, dialect))
                    .findFirst()
                    .map(Scenario::name)
                    .orElse("");
            System.out.printf(
                    "MUTANT %-14s %-52s %s%n",
                    "enforcement", name, caught.isEmpty() ? "SURVIVED" : "caught: " + caught);
            if (caught.isEmpty()) {
                survivors.add(name);
            }
        });
        assertThat(survivors).as("mutants that no scenario caught").isEmpty();
    }

    private static Stream<DynamicTest> tests(List<Scenario> scenarios) {
        return scenarios.stream()
                .map(scenario -> dynamicTest(
                        scenario.name(), () -> scenario.body().run(new PostgresDialect(PostgresSite.LONGEST_IDLE))));
    }
}
