package dev.signet.fence.jdbc;

import dev.signet.testkit.IsolationLevel;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** As a user with no right beyond its own database. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class MariaDbFenceContractTest extends MariaDbFenceContract {

    MariaDbFenceContractTest() {
        super(MariaDbSite.User.OWNER, EnumSet.allOf(IsolationLevel.class), MariaDbDialect::new);
    }
}
