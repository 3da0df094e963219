package dev.signet.fence.jdbc;

import dev.signet.testkit.FenceContract;
import dev.signet.testkit.FenceSite;
import dev.signet.testkit.IsolationLevel;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** As a user with no right beyond its own database. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class MariaDbFenceContractTest extends FenceContract {

    @Override
    protected FenceSite site() {
        return MariaDbSite.of(MariaDbSite.User.OWNER, MariaDbDialect::new);
    }

    @Override
    protected Set<IsolationLevel> levels() {
        return EnumSet.allOf(IsolationLevel.class);
    }
}
