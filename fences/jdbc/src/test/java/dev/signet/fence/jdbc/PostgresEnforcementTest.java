package dev.signet.fence.jdbc;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

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

    private static Stream<DynamicTest> tests(List<Scenario> scenarios) {
        return scenarios.stream()
                .map(scenario -> dynamicTest(
                        scenario.name(), () -> scenario.body().run(new PostgresDialect(PostgresSite.LONGEST_IDLE))));
    }
}
