package dev.signet.fence.jdbc;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;

/** What a server itself refuses, and that who gets this wrong is found. */
@Tag("process")
@Execution(CONCURRENT)
abstract class EnforcementContract {

    private final List<Scenario> all;
    private final Dialect dialect;
    private final List<EnforceMutant> mutants;

    /** @param scenarios the very first is that the current term can write */
    EnforcementContract(Dialect dialect, List<EnforceMutant> mutants, List<List<Scenario>> scenarios) {
        this.all = scenarios.stream().flatMap(List::stream).toList();
        this.dialect = dialect;
        this.mutants = mutants;
    }

    @TestFactory
    @Execution(CONCURRENT)
    final Stream<DynamicTest> refusesAndLetsThrough() {
        return all.stream()
                .map(scenario ->
                        dynamicTest(scenario.name(), () -> scenario.body().run(dialect)));
    }

    @TestFactory
    @Execution(CONCURRENT)
    final Stream<DynamicTest> everyMutantIsFound() {
        return mutants.stream().map(mutant -> mutant.test(all, all.get(0)));
    }
}
