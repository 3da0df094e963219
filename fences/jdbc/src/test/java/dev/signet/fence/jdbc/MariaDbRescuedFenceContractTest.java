package dev.signet.fence.jdbc;

import dev.signet.testkit.FenceSite;
import dev.signet.testkit.IsolationLevel;
import java.util.EnumSet;
import java.util.Set;

/** As a user who may end who blocks it. */
class MariaDbRescuedFenceContractTest extends MariaDbFenceContractTest {

    @Override
    protected FenceSite site() {
        return MariaDbSite.of(MariaDbSite.User.ENDS_BLOCKERS, MariaDbDialect::new);
    }

    /** The one where most else could go wrong. */
    @Override
    protected Set<IsolationLevel> levels() {
        return EnumSet.of(IsolationLevel.REPEATABLE_READ);
    }
}
