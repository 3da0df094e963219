package dev.signet.fence.jdbc;

import dev.signet.testkit.IsolationLevel;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

class MariaDbFenceStressTest extends JdbcFenceStress {

    /** Nobody here stands still on purpose, and none is to be ended because the machine is busy. */
    private static final JdbcFenceOptions PATIENT = MariaDbSite.OPTIONS.withLongestIdle(Duration.ofSeconds(30));

    @Override
    protected JdbcSite site() {
        return MariaDbSite.of(MariaDbSite.User.OWNER, options -> new MariaDbDialect(PATIENT));
    }

    @Override
    protected Set<IsolationLevel> levels() {
        return EnumSet.allOf(IsolationLevel.class);
    }
}
