package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** Which tables of a MariaDB database its triggers can guard; the others are refused, with what to change. */
final class MariaDbTables {

    /** What is left of a name's 64 characters beside ours. */
    private static final int LONGEST_NAME =
            64 - MariaDbTriggers.name("insert", "").length();

    private static final String CASCADES =
            "SELECT CONCAT('foreign key ', constraint_name, ' changes it past triggers when ''',"
                    + " referenced_table_name, ''' changes; protect that table too, or have the key say RESTRICT')"
                    + " FROM information_schema.referential_constraints r WHERE constraint_schema = DATABASE() AND table_name = ?"
                    + " AND (delete_rule NOT IN ('RESTRICT', 'NO ACTION') OR update_rule NOT IN ('RESTRICT', 'NO ACTION'))"
                    + " AND NOT (unique_constraint_schema = DATABASE() AND (referenced_table_name = table_name"
                    + " OR EXISTS (SELECT 1 FROM signet_protected p WHERE p.name = referenced_table_name AND p.resource = ?)))";

    private MariaDbTables() {}

    /** @throws SQLException if it cannot be guarded; the message says what to change */
    static void requireSuitable(Connection connection, ResourceName resource, String table) throws SQLException {
        List<String> faults = faults(connection, resource, table);
        if (!faults.isEmpty()) {
            throw new SQLException("'" + table + "': " + faults.get(0));
        }
    }

    /** What lets writes to a table past its triggers; empty if nothing does. */
    static List<String> faults(Connection connection, ResourceName resource, String table) throws SQLException {
        List<String> kinds = MariaDb.texts(
                connection,
                "SELECT CONCAT(table_type, ' ', COALESCE(engine, '')) FROM information_schema.tables"
                        + " WHERE table_schema = DATABASE() AND table_name = ?",
                table);
        String kind = kinds.isEmpty() ? "" : kinds.get(0).toUpperCase(Locale.ROOT);
        if (kind.isEmpty()) {
            return List.of("there is no such table in this database");
        } else if (!kind.startsWith("BASE TABLE ") && !kind.startsWith("SYSTEM VERSIONED ")) {
            return List.of("it is no table; protect the tables beneath it");
        } else if (table.toLowerCase(Locale.ROOT).startsWith("signet_")) {
            return List.of("it is the fence's own: no seal could write it any more");
        } else if (!kind.endsWith(" INNODB")) {
            return List.of(
                    "it has no transactions, and keeps what a refused statement wrote before; ALTER TABLE … ENGINE = InnoDB");
        } else if (table.length() > LONGEST_NAME) {
            return List.of(
                    "its name is longer than " + LONGEST_NAME + " characters, too long for those of its triggers");
        }
        return MariaDb.texts(connection, CASCADES, table, resource.name());
    }
}
