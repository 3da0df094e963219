package dev.signet.fence.jdbc;

import dev.signet.testkit.IsolationLevel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** A fence in memory. */
class H2FenceContract extends JdbcFenceContract {

    private final Set<IsolationLevel> levels;
    private final Function<JdbcFenceOptions, Dialect> dialect;

    H2FenceContract(Set<IsolationLevel> levels, Function<JdbcFenceOptions, Dialect> dialect) {
        this.levels = levels;
        this.dialect = dialect;
    }

    @Override
    protected JdbcSite site() {
        return H2Site.of(dialect);
    }

    @Override
    protected Set<IsolationLevel> levels() {
        return levels;
    }

    @Override
    protected Map<String, String> limits() {
        return Map.of(
                "a check in a rolled back savepoint",
                "H2 gives the lock back, and nothing tells of a savepoint",
                JdbcStories.REFUSAL_SWALLOWED,
                "H2 goes on in a new transaction");
    }

    @Override
    protected List<String> hiddenCommits() {
        return List.of(
                "INSERT INTO ledger (amount) VALUES (1); COMMIT",
                "INSERT INTO ledger (amount) VALUES (1); ROLLBACK; INSERT INTO ledger (amount) VALUES (1)",
                "SET @unseen = 1; CREATE TABLE unseen (i INT)");
    }

    @Override
    protected List<String> sessionState() {
        return List.of(
                "SELECT setting_name, setting_value FROM information_schema.settings",
                "SELECT * FROM information_schema.session_state",
                "SELECT LOCK_TIMEOUT()",
                "SELECT table_name FROM information_schema.locks WHERE session_id = SESSION_ID()");
    }
}
