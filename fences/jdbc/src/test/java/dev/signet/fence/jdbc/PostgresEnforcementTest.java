package dev.signet.fence.jdbc;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;

/** What PostgreSQL itself refuses, on a real server, and that who gets this wrong is found. */
@Tag("process")
@Execution(CONCURRENT)
class PostgresEnforcementTest {

    private static final List<Scenario> ALL = Stream.of(EnforceScenarios.ALL, EnforceRaces.ALL, EnforceTables.ALL)
            .flatMap(List::stream)
            .toList();

    @TestFactory
    @Execution(CONCURRENT)
    Stream<DynamicTest> refusesAndLetsThrough() {
        return ALL.stream()
                .map(scenario -> dynamicTest(
                        scenario.name(), () -> scenario.body().run(new PostgresDialect(PostgresSite.LONGEST_IDLE))));
    }

    @TestFactory
    @Execution(CONCURRENT)
    Stream<DynamicTest> everyMutantIsFound() {
        return EnforceMutants.ALL.stream().map(mutant -> mutant.test(ALL, EnforceScenarios.ALL.get(0)));
    }
}
