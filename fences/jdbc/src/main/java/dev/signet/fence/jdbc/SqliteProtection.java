package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.fence.jdbc.SqliteTriggers.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Installs the triggers, takes them away, and looks whether they are as they were installed. On one connection. */
final class SqliteProtection {

    /** What no trigger in SQLite can see. The page on this fence names the test that shows each. */
    static final List<String> HOLES = List.of(
            "whoever may write the database file may also drop its triggers: they stop mistakes and stale leaders, not an"
                    + " intruder",
            "DROP TABLE, ALTER TABLE and writable_schema fire no trigger",
            "a connection can switch triggers off for itself (SQLITE_DBCONFIG_ENABLE_TRIGGER), and incremental blob"
                    + " writes, restored backups and copied files never meet them",
            "a trigger of the application that says RAISE(IGNORE) may leave a stamp on a row, and one that reads the stamp"
                    + " from signet_fence lends it to anybody",
            "a process that is stopped while it has the write lock keeps every other writer out, and the seal, until it"
                    + " goes on or is killed");

    private static final Pattern RAISES_IGNORE =
            Pattern.compile("raise\\s*\\(\\s*ignore\\s*\\)", Pattern.CASE_INSENSITIVE);

    private final Connection connection;
    private final SqliteTriggers triggers;

    SqliteProtection(Connection connection, SqliteTriggers triggers) {
        this.connection = connection;
        this.triggers = triggers;
    }

    void protect(ResourceName resource, String name) throws SQLException {
        if (Sqlite.text(connection, "SELECT 1 FROM main.signet_fence WHERE resource = ?", resource.name())
                .isEmpty()) {
            throw new SQLException("resource '" + resource + "' has no fence row here; run first: signet fence init");
        }
        Table table = SqliteTables.suitable(connection, name);
        Optional<String> owner = owner(table.name());
        if (owner.isPresent() && !owner.get().equals(resource.name())) {
            throw new SQLException("table '" + table.name() + "' is protected by resource '" + owner.get()
                    + "'; unprotect it there first");
        }
        List<String> ignoring = ignoringTriggers(table.name());
        if (!ignoring.isEmpty()) {
            throw new SQLException(ignoring.get(0));
        }
        drop(table.name());
        Sqlite.execute(
                connection,
                "UPDATE main." + Sqlite.identifier(table.name())
                        + " SET signet_term = NULL WHERE signet_term IS NOT NULL");
        for (String definition : triggers.definitions(resource, table).values()) {
            Sqlite.execute(connection, "CREATE TRIGGER main." + definition);
        }
        if (owner.isEmpty()) {
            Sqlite.execute(
                    connection,
                    "INSERT INTO main.signet_protected VALUES (" + Sqlite.literal(table.name()) + ", "
                            + Sqlite.literal(resource.name()) + ")");
        }
    }

    void unprotect(ResourceName resource, String name) throws SQLException {
        String owner = owner(name).orElseThrow(() -> new SQLException("table '" + name + "' is not protected"));
        if (!owner.equals(resource.name())) {
            throw new SQLException("table '" + name + "' is protected by resource '" + owner + "'; unprotect it there");
        }
        drop(name);
        Sqlite.execute(connection, "DELETE FROM main.signet_protected WHERE \"table\" = " + Sqlite.literal(name));
    }

    List<ProtectedTable> tables() throws SQLException {
        List<ProtectedTable> tables = new ArrayList<>();
        for (String name : Sqlite.texts(connection, "SELECT \"table\" FROM main.signet_protected ORDER BY 1")) {
            ResourceName resource = ResourceName.of(owner(name).orElseThrow());
            tables.add(new ProtectedTable(name, resource, faults(resource, name)));
        }
        return tables;
    }

    private List<String> faults(ResourceName resource, String name) throws SQLException {
        Table table;
        try {
            table = SqliteTables.suitable(connection, name);
        } catch (SQLException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
        List<String> faults = new ArrayList<>();
        for (Map.Entry<String, String> expected :
                triggers.definitions(resource, table).entrySet()) {
            Sqlite.triggerFault(connection, name, expected.getKey(), expected.getValue())
                    .map(fault -> fault + "; run protect again")
                    .ifPresent(faults::add);
        }
        faults.addAll(SqliteSchema.faults(connection));
        if (Sqlite.text(
                        connection,
                        "SELECT 1 FROM main." + Sqlite.identifier(name) + " WHERE signet_term IS NOT NULL LIMIT 1")
                .isPresent()) {
            faults.add("rows still carry a stamp that anybody could use; run protect again");
        }
        faults.addAll(ignoringTriggers(name));
        return faults;
    }

    private List<String> ignoringTriggers(String table) throws SQLException {
        String sql = "SELECT sql FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE";
        boolean any = Sqlite.texts(connection, sql, table).stream()
                .anyMatch(trigger -> RAISES_IGNORE.matcher(trigger).find());
        return any
                ? List.of("a trigger on '" + table + "' says RAISE(IGNORE), which may leave a stamp on a row;"
                        + " use a WHEN clause or RAISE(ABORT) there")
                : List.of();
    }

    private Optional<String> owner(String table) throws SQLException {
        return Sqlite.text(connection, "SELECT resource FROM main.signet_protected WHERE \"table\" = ?", table);
    }

    private void drop(String table) throws SQLException {
        for (String name : SqliteTriggers.names(table)) {
            Sqlite.execute(connection, "DROP TRIGGER IF EXISTS main." + Sqlite.identifier(name));
        }
    }
}
