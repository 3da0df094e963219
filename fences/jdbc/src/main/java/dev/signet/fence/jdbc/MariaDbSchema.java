package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.StoreId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The tables that a fence keeps in the database that it protects, and their version. DDL commits by itself here, so that an
 * init may be cut short between two statements: the table that says which version it is comes first, and the next init goes
 * on from there.
 */
final class MariaDbSchema {

    private static final String[] TABLES = {
        "CREATE TABLE IF NOT EXISTS signet_fence_layout (version BIGINT NOT NULL PRIMARY KEY) ENGINE = InnoDB",
        "INSERT IGNORE INTO signet_fence_layout SELECT " + FenceTable.VERSION
                + " FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM signet_fence_layout)",
        "CREATE TABLE IF NOT EXISTS signet_fence" + FenceTable.COLUMNS + " ENGINE = InnoDB",
    };

    private MariaDbSchema() {}

    /** On a connection with autocommit. Whoever may not make tables can still add a row to those that are there. */
    static void init(Connection connection, ResourceName resource, Role role, StoreId storeId) throws SQLException {
        if (!isInitialised(connection)) {
            for (String statement : TABLES) {
                Sql.execute(connection, statement);
            }
            isInitialised(connection);
        }
        try {
            FenceTable.insert(connection, resource, role, storeId);
        } catch (SQLException e) {
            if (!MariaDb.is(e, MariaDb.DUPLICATE_KEY)) {
                throw e;
            }
        }
    }

    /** @throws SQLException if the tables are there but not such as this version can use */
    static boolean isInitialised(Connection connection) throws SQLException {
        Map<String, String> engines = engines(connection);
        String engine = engines.get("signet_fence");
        if (engine == null) {
            return false;
        }
        if (!engines.containsKey("signet_fence_layout")) {
            throw new SQLException(
                    "a table signet_fence is there that Signet did not make; rename it, or use another" + " database");
        }
        if (!engine.equals("innodb")) {
            throw new SQLException("table signet_fence is of engine " + engine
                    + ", which locks no rows; ALTER TABLE signet_fence ENGINE = InnoDB");
        }
        FenceTable.requireVersion(Long.parseLong(Sql.text(connection, "SELECT MAX(version) FROM signet_fence_layout")
                .orElse("0")));
        return true;
    }

    private static Map<String, String> engines(Connection connection) throws SQLException {
        Map<String, String> engines = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT table_name, engine FROM information_schema.tables"
                                + " WHERE table_schema = DATABASE() AND table_name IN ('signet_fence', 'signet_fence_layout')")) {
            while (row.next()) {
                engines.put(
                        row.getString(1).toLowerCase(Locale.ROOT),
                        String.valueOf(row.getString(2)).toLowerCase(Locale.ROOT));
            }
        }
        return engines;
    }
}
