package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.StoreId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The tables that a fence keeps in the database that it protects, and their version. The file's {@code user_version}
 * belongs to the application, so the version has a table of its own.
 *
 * <p>The term id lies in the fence row as it is, not as a hash. A trigger must be able to compare it, and SQLite has no
 * hash function that every client has. Nothing is lost by it: whoever may write this file may also drop the triggers,
 * and whoever may only read it cannot write under any id.
 */
final class SqliteSchema {

    static final int VERSION = 1;

    private static final String[] TABLES = {
        "CREATE TABLE IF NOT EXISTS main.signet_fence_layout (version INTEGER NOT NULL PRIMARY KEY)",
        "INSERT INTO main.signet_fence_layout SELECT " + VERSION
                + " WHERE NOT EXISTS (SELECT 1 FROM main.signet_fence_layout)",
        "CREATE TABLE IF NOT EXISTS main.signet_fence (resource TEXT NOT NULL PRIMARY KEY COLLATE BINARY,"
                + " role TEXT NOT NULL, store_id TEXT NOT NULL,"
                + " max_token INTEGER NOT NULL CHECK (typeof(max_token) = 'integer'"
                + " AND max_token BETWEEN 0 AND 9007199254740991),"
                + " term_id TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE IF NOT EXISTS main.signet_protected (\"table\" TEXT NOT NULL PRIMARY KEY COLLATE NOCASE,"
                + " resource TEXT NOT NULL) WITHOUT ROWID",
    };

    /** Name and definition. Against slips of a hand in a shell, not against malice: who can write the file can drop these. */
    private static final Map<String, String> TRIGGERS = Map.of(
            "signet_fence_only_rises",
            "signet_fence_only_rises BEFORE UPDATE ON signet_fence"
                    + " WHEN NEW.resource IS NOT OLD.resource OR NEW.role IS NOT OLD.role"
                    + " OR NEW.store_id IS NOT OLD.store_id OR NEW.max_token < OLD.max_token"
                    + " OR (NEW.max_token = OLD.max_token AND NEW.term_id IS NOT OLD.term_id)"
                    + " BEGIN SELECT RAISE(ABORT, 'signet: a fence only rises, and only by a seal'); END",
            "signet_fence_stays",
            "signet_fence_stays BEFORE DELETE ON signet_fence"
                    + " BEGIN SELECT RAISE(ABORT, 'signet: a fence row is never deleted; writes would pass unseen'); END",
            "signet_fence_made_once",
            "signet_fence_made_once BEFORE INSERT ON signet_fence"
                    + " WHEN EXISTS (SELECT 1 FROM signet_fence WHERE resource = NEW.resource)"
                    + " BEGIN SELECT RAISE(ABORT, 'signet: this resource has its fence row already'); END");

    private SqliteSchema() {}

    /** Inside a transaction that has the write lock. */
    static void init(Connection connection, ResourceName resource, Role role, StoreId storeId) throws SQLException {
        isInitialised(connection); // refuses what another made
        for (String statement : TABLES) {
            Sqlite.execute(connection, statement);
        }
        for (String definition : TRIGGERS.values()) {
            Sqlite.execute(connection, "CREATE TRIGGER IF NOT EXISTS main." + definition);
        }
        String insert = "INSERT INTO main.signet_fence SELECT ?1, ?2, ?3, 0, ''"
                + " WHERE NOT EXISTS (SELECT 1 FROM main.signet_fence WHERE resource = ?1)";
        try (PreparedStatement row = connection.prepareStatement(insert)) {
            row.setString(1, resource.name());
            row.setString(2, role.name());
            row.setString(3, storeId.value());
            row.executeUpdate();
        }
    }

    /** What is wrong with the triggers of the fence's own table, and what to do. */
    static List<String> faults(Connection connection) throws SQLException {
        List<String> faults = new ArrayList<>();
        for (Map.Entry<String, String> trigger : new TreeMap<>(TRIGGERS).entrySet()) {
            Sqlite.triggerFault(connection, "signet_fence", trigger.getKey(), trigger.getValue())
                    .map(fault -> fault + "; drop it if it is there, and run init again")
                    .ifPresent(faults::add);
        }
        return faults;
    }

    /** @throws SQLException if the tables are there but not such as this version can use */
    static boolean isInitialised(Connection connection) throws SQLException {
        String count = "SELECT count(*) FROM main.sqlite_schema WHERE name IN ('signet_fence', 'signet_fence_layout')";
        int tables = Integer.parseInt(Sqlite.text(connection, count).orElse("0"));
        if (tables == 0) {
            return false;
        }
        if (tables == 1) {
            throw new SQLException("a table signet_fence or signet_fence_layout is there that Signet did not make;"
                    + " rename it, or use another database");
        }
        try (PreparedStatement select = connection.prepareStatement("SELECT version FROM main.signet_fence_layout");
                ResultSet row = select.executeQuery()) {
            int version = row.next() ? row.getInt(1) : 0;
            if (version != VERSION) {
                throw new SQLException("the fence tables have version " + version + " and this Signet knows version "
                        + VERSION + "; use the Signet that made them, or a newer one");
            }
            return true;
        }
    }
}
