package dev.signet.fence.jdbc;

import dev.signet.testkit.FenceContract;
import dev.signet.testkit.FenceSite;
import dev.signet.testkit.IsolationLevel;
import java.util.Set;

/** SQLite has one level: whoever writes, writes alone. */
class SqliteFenceContractTest extends FenceContract {

    @Override
    protected FenceSite site() {
        return SqliteSite.of(new SqliteDialect());
    }

    @Override
    protected Set<IsolationLevel> levels() {
        return Set.of(IsolationLevel.SERIALIZABLE);
    }
}
