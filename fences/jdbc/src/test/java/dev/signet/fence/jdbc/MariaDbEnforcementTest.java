package dev.signet.fence.jdbc;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;

/** What MariaDB itself refuses, on a real server, and that who gets this wrong is found. */
@Tag("process")
@Execution(CONCURRENT)
class MariaDbEnforcementTest {

    private static final List<Scenario> ALL = Stream.of(
                    MariaDbScenarios.ALL, MariaDbRaces.ALL, MariaDbTableScenarios.ALL)
            .flatMap(List::stream)
            .toList();

    @TestFactory
    @Execution(CONCURRENT)
    Stream<DynamicTest> refusesAndLetsThrough() {
        return ALL.stream()
                .map(scenario -> dynamicTest(
                        scenario.name(), () -> scenario.body().run(new MariaDbDialect(MariaDbSite.OPTIONS))));
    }

    @TestFactory
    @Execution(CONCURRENT)
    Stream<DynamicTest> everyMutantIsFound() {
        return MariaDbEnforceMutants.ALL.stream().map(mutant -> mutant.test(ALL, MariaDbScenarios.ALL.get(0)));
    }
}
