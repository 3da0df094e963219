package dev.signet.fence.jdbc;

import dev.signet.testkit.FenceStress;
import dev.signet.testkit.IsolationLevel;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteConfig.JournalMode;

class SqliteFenceStressTest extends JdbcFenceStress {

    @Override
    protected JdbcSite site() {
        return SqliteSite.of(new SqliteDialect());
    }

    @Override
    protected Set<IsolationLevel> levels() {
        return Set.of(IsolationLevel.SERIALIZABLE);
    }

    @Test
    void theSameWithoutAWriteAheadLog() throws InterruptedException {
        JdbcSite site = SqliteSite.of(new SqliteDialect(), JournalMode.DELETE);
        fenced("fenced, journal delete", site, new FenceStress(IsolationLevel.SERIALIZABLE, 8, 10))
                .assertFenced();
    }

    @Test
    void aCheckInATransactionOfItsOwnIsSeen() throws InterruptedException {
        JdbcSite site = SqliteSite.of(Mutants.OF_CHECK.get(Mutants.TWO_TRANSACTIONS));
        fenced("checked apart", site, new FenceStress(IsolationLevel.SERIALIZABLE, 8, 40))
                .assertSeen();
    }
}
