package dev.signet.fence.jdbc;

import java.util.List;

class PostgresEnforcementTest extends EnforcementContract {

    PostgresEnforcementTest() {
        super(
                new PostgresDialect(PostgresSite.LONGEST_IDLE),
                EnforceMutants.ALL,
                List.of(EnforceScenarios.ALL, EnforceRaces.ALL, EnforceTables.ALL));
    }
}
