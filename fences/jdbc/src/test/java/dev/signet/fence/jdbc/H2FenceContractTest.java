package dev.signet.fence.jdbc;

import dev.signet.testkit.IsolationLevel;
import java.util.EnumSet;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Mostly waiting. */
@Execution(ExecutionMode.CONCURRENT)
class H2FenceContractTest extends H2FenceContract {

    H2FenceContractTest() {
        super(EnumSet.allOf(IsolationLevel.class), H2Dialect::new);
    }
}
