package dev.signet.fence.jdbc;

import dev.signet.testkit.IsolationLevel;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** On a server where transactions may be prepared. */
abstract class PostgresFenceContract extends JdbcFenceContract {

    abstract Dialect dialect();

    @Override
    protected JdbcSite site() {
        return PostgresSite.of(PostgresSite.server(), dialect());
    }

    @Override
    protected Set<IsolationLevel> levels() {
        return EnumSet.allOf(IsolationLevel.class);
    }

    @Override
    protected List<String> hiddenCommits() {
        return List.of(
                "INSERT INTO ledger (amount) VALUES (1); COMMIT",
                "INSERT INTO ledger (amount) VALUES (1); COMMIT; BEGIN",
                "INSERT INTO ledger (amount) VALUES (1); ROLLBACK; BEGIN ISOLATION LEVEL SERIALIZABLE",
                "INSERT INTO ledger (amount) VALUES (1); END; INSERT INTO ledger (amount) VALUES (1)");
    }

    @Override
    protected List<String> sessionState() {
        return List.of(
                // without those that come with the language of the functions, by its first use
                "SELECT name, setting FROM pg_settings WHERE name NOT LIKE 'plpgsql.%'",
                // what a transaction has set is afterwards empty, and no longer nothing
                "SELECT coalesce(current_setting('signet.token', true), ''), coalesce(current_setting('signet.term_id', true), '')",
                "SELECT classid, objid, mode FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()",
                "SELECT relname FROM pg_class WHERE pg_is_other_temp_schema(relnamespace) OR relnamespace = pg_my_temp_schema()",
                "SELECT pg_current_xact_id_if_assigned()");
    }

    @Override
    protected List<JdbcStory> ownStories() {
        return dialect() instanceof AtCommitDialect
                ? Stream.of(PostgresStories.ALL, PostgresAtCommitStories.ALL)
                        .flatMap(List::stream)
                        .toList()
                : PostgresStories.ALL;
    }
}
