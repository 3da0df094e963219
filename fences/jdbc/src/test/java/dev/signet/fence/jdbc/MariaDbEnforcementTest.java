package dev.signet.fence.jdbc;

import java.util.List;

class MariaDbEnforcementTest extends EnforcementContract {

    MariaDbEnforcementTest() {
        super(
                new MariaDbDialect(MariaDbSite.OPTIONS),
                MariaDbEnforceMutants.ALL,
                List.of(MariaDbScenarios.ALL, MariaDbRaces.ALL, MariaDbTableScenarios.ALL));
    }
}
