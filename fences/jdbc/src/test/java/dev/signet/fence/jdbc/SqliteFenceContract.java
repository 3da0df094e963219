package dev.signet.fence.jdbc;

import dev.signet.testkit.FenceClause;
import dev.signet.testkit.IsolationLevel;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** SQLite has one level: whoever writes, writes alone. */
class SqliteFenceContract extends JdbcFenceContract {

    private final Dialect dialect;

    SqliteFenceContract(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    protected JdbcSite site() {
        return SqliteSite.of(dialect);
    }

    @Override
    protected Set<IsolationLevel> levels() {
        return Set.of(IsolationLevel.SERIALIZABLE);
    }

    @Override
    protected Map<String, String> limits() {
        return Map.of(JdbcStories.REFUSAL_SWALLOWED, "SQLite goes on in a new transaction, without foreign keys");
    }

    @Override
    protected List<JdbcStory> ownStories() {
        return List.of(new JdbcStory(
                FenceClause.F2,
                "the same where foreign keys are enforced",
                (site, database) -> JdbcStories.refusalSwallowed(site, "PRAGMA foreign_keys = ON")));
    }

    @Override
    protected List<String> hiddenCommits() {
        return List.of(
                "INSERT INTO ledger (amount) VALUES (1); COMMIT",
                "INSERT INTO ledger (amount) VALUES (1); COMMIT; BEGIN",
                "INSERT INTO ledger (amount) VALUES (1); COMMIT; BEGIN IMMEDIATE");
    }

    @Override
    protected List<String> sessionState() {
        return List.of(
                "PRAGMA busy_timeout",
                "PRAGMA synchronous",
                "PRAGMA journal_mode",
                "PRAGMA locking_mode",
                "PRAGMA query_only",
                "PRAGMA foreign_keys",
                "PRAGMA defer_foreign_keys",
                "PRAGMA recursive_triggers",
                "SELECT name FROM sqlite_temp_schema");
    }
}
