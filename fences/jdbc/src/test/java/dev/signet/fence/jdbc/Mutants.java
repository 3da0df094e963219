package dev.signet.fence.jdbc;

import static java.util.Map.entry;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.fence.Refusal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Fences as one would naively write them. Each is wrong in one way, and some scenario must say so. */
final class Mutants {

    /** In the seal and the check. */
    static final Map<String, Dialect> OF_CHECK = new LinkedHashMap<>();

    /** In the triggers. */
    static final Map<String, Dialect> OF_TRIGGERS = new LinkedHashMap<>();

    /** Without the write lock, and without the snapshot that would betray it. */
    static final String TWO_TRANSACTIONS = "check and write in two transactions";

    private static final long THINKING_NANOS = 1_000_000;

    static {
        OF_CHECK.put("check without the write lock (deferred)", new SqliteDialect() {
            @Override
            void lock(Connection connection) {}
        });
        OF_CHECK.put(TWO_TRANSACTIONS, new SqliteDialect() {
            @Override
            void lock(Connection connection) {}

            @Override
            Optional<FenceRow> lockedRow(Connection connection, ResourceName resource) throws SQLException {
                Optional<FenceRow> row = super.lockedRow(connection, resource);
                Sqlite.execute(connection, "COMMIT");
                LockSupport.parkNanos(THINKING_NANOS);
                Sqlite.execute(connection, "BEGIN");
                return row;
            }
        });
        OF_CHECK.put("a failed lock is ignored", new SqliteDialect() {
            @Override
            void lock(Connection connection) {
                try {
                    super.lock(connection);
                } catch (SQLException e) {
                    // "the SELECT will tell"
                }
            }
        });
        OF_CHECK.put("check under autocommit", new SqliteDialect() {
            @Override
            public void requireTransaction(Connection connection) {}
        });
        OF_CHECK.put("the driver's word that a transaction is open", new SqliteDialect() {
            @Override
            public boolean hadTransaction(Connection connection) {
                return true;
            }
        });
        OF_CHECK.put("no mark on the transaction", new SqliteDialect() {
            @Override
            boolean isMarked(Connection connection) {
                return true;
            }
        });
        OF_CHECK.put("a refusal is only rolled back", new SqliteDialect() {
            @Override
            public void undo(Connection connection) throws SQLException {
                connection.rollback();
            }
        });
        OF_CHECK.put("a refusal leaves all as it is", new SqliteDialect() {
            @Override
            public void undo(Connection connection) {}
        });
        OF_CHECK.put(
                "token >= max",
                judging((row, stamp) -> row.filter(found -> stamp.token().value() >= found.highest())
                                .isPresent()
                        ? Optional.empty()
                        : row.isEmpty()
                                ? Optional.of(Refusal.NOT_INITIALISED)
                                : row.get().refuses(stamp)));
        OF_CHECK.put(
                "a missing row is token 0",
                judging((row, stamp) ->
                        row.isEmpty() ? Optional.empty() : row.get().refuses(stamp)));
        OF_CHECK.put("only the token is compared", forgiving(Refusal.SAME_TOKEN_OTHER_TERM));
        OF_CHECK.put("no store id in the check", forgiving(Refusal.FOREIGN_STORE));
        OF_CHECK.put("no role in the check", forgiving(Refusal.OTHER_ROLE));
        OF_CHECK.put("writers raise the fence", new SqliteDialect() {
            @Override
            Optional<FenceRow> lockedRow(Connection connection, ResourceName resource) throws SQLException {
                Optional<FenceRow> row = super.lockedRow(connection, resource);
                if (row.isPresent()) {
                    raise(connection, resource, Ledger.NEW, Long.MAX_VALUE);
                }
                return super.lockedRow(connection, resource);
            }
        });
        OF_CHECK.put("seal: no store id", raising("resource = ?3 AND role = ?4 AND max_token <= ?1"));
        OF_CHECK.put("seal: no role", raising("resource = ?3 AND store_id = ?5 AND max_token <= ?1"));
        OF_CHECK.put(
                "seal: an equal token of another term passes",
                raising("resource = ?3 AND role = ?4 AND store_id = ?5 AND max_token <= ?1 AND ?1 - max_token <= ?6"));
        OF_CHECK.put(
                "seal: not idempotent",
                raising("resource = ?3 AND role = ?4 AND store_id = ?5 AND max_token < ?1 AND ?1 - max_token <= ?6"));
        OF_CHECK.put(
                "seal: no limit to the jump",
                raising("resource = ?3 AND role = ?4 AND store_id = ?5"
                        + " AND (max_token < ?1 OR (max_token = ?1 AND term_id = ?2))"));
        OF_CHECK.put("seal: lower tokens too", raising("resource = ?3 AND role = ?4 AND store_id = ?5"));

        trigger("stamps stay on the rows", "SET signet_term = NULL", "SET signet_term = signet_term");
        trigger(
                "only a stamped UPDATE is looked at",
                "NOT (OLD.signet_term IS NOT NULL AND NEW.signet_term IS NULL)",
                "NEW.signet_term IS NOT NULL");
        trigger("UPDATE OF the stamp's columns", "BEFORE UPDATE ON", "BEFORE UPDATE OF signet_token, signet_term ON");
        trigger(
                "any clearing passes",
                "OLD.signet_term IS NOT NULL AND NEW.signet_term IS NULL",
                "NEW.signet_term IS NULL");
        trigger("a missing stamp passes", "NEW.signet_token IS NULL OR NEW.signet_term IS NULL", "0");
        trigger("only the token is compared", " IS NOT NEW.signet_term", " IS NULL");
        trigger("token >= max", "NEW.signet_token > ", "0 AND NEW.signet_token > ");
        trigger("stale tokens pass", "NEW.signet_token < ", "0 AND NEW.signet_token < ");
        trigger(
                "a missing row is token 0",
                "WHEN (SELECT max_token FROM signet_fence WHERE resource = 'ledger') IS NULL",
                "WHEN 0");
        trigger(
                "DELETE is not looked at",
                "BEFORE DELETE ON \"ledger\" WHEN OLD.signet_term IS NULL",
                "BEFORE DELETE ON \"ledger\" WHEN 0");
        trigger(
                "DELETE of what the current term stamped passes",
                "WHEN OLD.signet_term IS NULL BEGIN",
                "WHEN OLD.signet_token IS NOT (SELECT max_token FROM signet_fence) BEGIN");
        trigger("RAISE(IGNORE) for RAISE(ABORT)", "RAISE\\(ABORT, '[^']*'(?:'[^']*')*\\)", "RAISE(IGNORE)");
        trigger("RAISE(FAIL) for RAISE(ABORT)", "RAISE(ABORT", "RAISE(FAIL");
        trigger("nobody looks whether the stamp is gone", "WHERE EXISTS (SELECT 1", "WHERE 0 AND EXISTS (SELECT 1");
        trigger("INSERT is checked after it was cleared", "BEFORE INSERT", "AFTER INSERT");
        trigger("always the name rowid", "\"_rowid_\" = NEW.\"_rowid_\"", "rowid = NEW.rowid");
    }

    private Mutants() {}

    private interface Judge {
        Optional<Refusal> judge(Optional<FenceRow> row, Stamp stamp);
    }

    private static Dialect judging(Judge judge) {
        return new SqliteDialect() {
            @Override
            Optional<Refusal> judge(Optional<FenceRow> row, Stamp stamp) {
                return judge.judge(row, stamp);
            }
        };
    }

    private static Dialect forgiving(Refusal forgiven) {
        return judging((row, stamp) -> row.isEmpty()
                ? Optional.of(Refusal.NOT_INITIALISED)
                : row.get().refuses(stamp).filter(refusal -> refusal != forgiven));
    }

    private static Dialect raising(String where) {
        return new SqliteDialect() {
            @Override
            int raise(Connection connection, ResourceName resource, Stamp stamp, long maxJump) throws SQLException {
                // without the triggers on the fence row, which would catch some of these by themselves
                Sqlite.execute(connection, "DROP TRIGGER IF EXISTS main.signet_fence_only_rises");
                String sql = "UPDATE main.signet_fence SET max_token = ?1, term_id = ?2 WHERE " + where
                        + " AND (?3, ?4, ?5, ?6) IS NOT NULL";
                try (PreparedStatement update = connection.prepareStatement(sql.replace(
                        " AND (?3, ?4, ?5, ?6) IS NOT NULL",
                        " AND ?3 IS NOT NULL AND ?4 IS NOT NULL AND ?5 IS NOT NULL AND ?6 IS NOT NULL"))) {
                    update.setLong(1, stamp.token().value());
                    update.setString(2, stamp.termId().secret());
                    update.setString(3, resource.name());
                    update.setString(4, stamp.role().name());
                    update.setString(5, stamp.storeId().value());
                    update.setLong(6, maxJump);
                    return update.executeUpdate();
                }
            }
        };
    }

    private static void trigger(String name, String from, String to) {
        boolean pattern = from.contains("\\(");
        OF_TRIGGERS.put(name, new SqliteDialect(new SqliteTriggers() {
            @Override
            Map<String, String> definitions(ResourceName resource, Table table) {
                Map<String, String> mutated = new LinkedHashMap<>(super.definitions(resource, table));
                mutated.replaceAll((key, sql) -> pattern ? sql.replaceAll(from, to) : sql.replace(from, to));
                return mutated;
            }
        }));
    }

    /** Those that a scenario cannot see because nothing changes, each with the reason. Printed with the table. */
    static final List<Map.Entry<String, String>> EQUIVALENT = List.of(
            entry(
                    "check inside a savepoint that is rolled back",
                    "harmless on SQLite: ROLLBACK TO keeps the write lock; a scenario holds that"),
            entry(
                    "row read before the lock is taken",
                    "harmless on SQLite: the lock is refused if anything was committed since"));
}
