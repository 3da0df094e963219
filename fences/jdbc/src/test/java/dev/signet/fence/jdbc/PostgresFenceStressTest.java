package dev.signet.fence.jdbc;

import dev.signet.servers.Servers;
import dev.signet.testkit.IsolationLevel;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

class PostgresFenceStressTest extends JdbcFenceStress {

    /** Nobody here stands still on purpose, and none is to be ended because the machine is busy. */
    static final Duration LONGEST_IDLE = Duration.ofSeconds(30);

    @Override
    protected JdbcSite site() {
        return PostgresSite.of(Servers.postgres(), new PostgresDialect(LONGEST_IDLE));
    }

    @Override
    protected Set<IsolationLevel> levels() {
        return EnumSet.allOf(IsolationLevel.class);
    }
}
