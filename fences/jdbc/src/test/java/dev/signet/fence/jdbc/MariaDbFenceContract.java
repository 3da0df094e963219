package dev.signet.fence.jdbc;

import dev.signet.fence.jdbc.MariaDbSite.User;
import dev.signet.testkit.IsolationLevel;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A fence on the server that all tests share. */
class MariaDbFenceContract extends JdbcFenceContract {

    private final User user;
    private final Set<IsolationLevel> levels;
    private final Function<JdbcFenceOptions, Dialect> dialect;

    MariaDbFenceContract(User user, Set<IsolationLevel> levels, Function<JdbcFenceOptions, Dialect> dialect) {
        this.user = user;
        this.levels = levels;
        this.dialect = dialect;
    }

    @Override
    protected JdbcSite site() {
        return MariaDbSite.of(user, dialect);
    }

    @Override
    protected Set<IsolationLevel> levels() {
        return levels;
    }

    @Override
    protected List<String> hiddenCommits() {
        return List.of(
                "EXECUTE IMMEDIATE 'COMMIT'",
                "EXECUTE IMMEDIATE 'CREATE OR REPLACE TABLE unseen (i INT)'",
                "IF 1 THEN COMMIT; END IF",
                "IF 1 THEN ROLLBACK; START TRANSACTION; END IF",
                "/*! COMMIT */");
    }

    @Override
    protected List<String> sessionState() {
        return List.of(
                // without what the server itself changes from statement to statement
                "SELECT variable_name, variable_value FROM information_schema.session_variables WHERE variable_name NOT IN"
                        + " ('TIMESTAMP', 'LAST_GTID', 'RAND_SEED1', 'RAND_SEED2', 'LAST_INSERT_ID', 'INSERT_ID', 'IDENTITY',"
                        + " 'PSEUDO_THREAD_ID') AND variable_name NOT LIKE 'GTID%' AND variable_name NOT LIKE 'INNODB%'",
                "SELECT variable_name, variable_value FROM information_schema.user_variables WHERE variable_value IS NOT NULL",
                "SELECT @@in_transaction");
    }

    @Override
    protected List<JdbcStory> ownStories() {
        return MariaDbStories.ALL;
    }
}
