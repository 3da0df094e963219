package dev.signet.fence.jdbc;

import dev.signet.testkit.FenceSite;

/** As a user who may end who blocks it. */
class MariaDbRescuedFenceContractTest extends MariaDbFenceContractTest {

    @Override
    protected FenceSite site() {
        return MariaDbSite.of(MariaDbSite.User.ENDS_BLOCKERS, MariaDbDialect::new);
    }
}
