package dev.signet.fence.jdbc;

import dev.signet.testkit.FenceContract;
import dev.signet.testkit.FenceSite;
import dev.signet.testkit.IsolationLevel;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** In memory, and mostly waiting. */
@Execution(ExecutionMode.CONCURRENT)
class H2FenceContractTest extends FenceContract {

    static final Map<String, String> LIMITS =
            Map.of("a check in a rolled back savepoint", "H2 gives the lock back, and nothing tells of a savepoint");

    @Override
    protected FenceSite site() {
        return H2Site.of(H2Dialect::new);
    }

    @Override
    protected Set<IsolationLevel> levels() {
        return EnumSet.allOf(IsolationLevel.class);
    }

    @Override
    protected Map<String, String> limits() {
        return LIMITS;
    }
}
