package dev.signet.fence.jdbc;

import dev.signet.testkit.IsolationLevel;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** As a user who may end who blocks it, at the level where most else could go wrong. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class MariaDbRescuedFenceContractTest extends MariaDbFenceContract {

    MariaDbRescuedFenceContractTest() {
        super(MariaDbSite.User.ENDS_BLOCKERS, EnumSet.of(IsolationLevel.REPEATABLE_READ), MariaDbDialect::new);
    }

    /** They are told without the rights. */
    @Override
    protected List<JdbcStory> ownStories() {
        return List.of();
    }
}
