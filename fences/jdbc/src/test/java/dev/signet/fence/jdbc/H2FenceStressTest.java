package dev.signet.fence.jdbc;

import dev.signet.testkit.IsolationLevel;
import java.util.EnumSet;
import java.util.Set;

class H2FenceStressTest extends JdbcFenceStress {

    @Override
    protected JdbcSite site() {
        return H2Site.of(H2Dialect::new);
    }

    @Override
    protected Set<IsolationLevel> levels() {
        return EnumSet.of(IsolationLevel.READ_COMMITTED, IsolationLevel.SERIALIZABLE);
    }
}
