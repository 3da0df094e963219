package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;

/**
 * A database that refuses by itself, as one would naively have it do so: wrong in one way.
 *
 * @param finder the scenario that must say so
 */
record EnforceMutant(String name, String finder, Dialect dialect) {

    /**
     * Fails if it survives, and if nobody could write with it: then any scenario would find it, and show nothing.
     *
     * @param writing that the current term can write
     */
    DynamicTest test(List<Scenario> scenarios, Scenario writing) {
        Scenario expected = scenarios.stream()
                .filter(scenario -> scenario.name().equals(finder))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no scenario '" + finder + "'"));
        return DynamicTest.dynamicTest(name, () -> {
            if (!expected.equals(writing)) {
                writing.body().run(dialect);
            }
            Throwable found = catchThrowable(() -> expected.body().run(dialect));
            System.out.printf("MUTANT enforcement %-58s %s%n", name, found == null ? "SURVIVED" : "found: " + finder);
            assertThat(found).as("what finds '" + name + "'").isNotNull();
        });
    }
}
