package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * MariaDB's triggers. DDL commits by itself here: a protect that is cut short leaves a table that is listed and lacks a trigger,
 * which is seen, and the next one goes on from there.
 */
record MariaDbEnforcement(MariaDbTriggers triggers) implements Enforcement {

    /** What no trigger can see. The page on this fence names the test that shows each. */
    private static final List<String> HOLES = List.of(
            "TRUNCATE and other DDL, and DELETE HISTORY, fire no triggers; who has the right DROP, ALTER or TRIGGER on a protected"
                    + " table, or CREATE TEMPORARY TABLES (a signet_fence of its own), gets past them: they stop mistakes and stale leaders, not an intruder",
            "what a replica applies fires no triggers there, and so passes unchecked",
            "a session carries its stamp until it sets another: on a pooled connection, into the next transaction",
            "of a table that is not protected, and has an engine without transactions (MyISAM, Aria, MEMORY), what a refused"
                    + " transaction wrote stays",
            "a transaction that stands still after a write or check() holds a seal up until it ends, or is ended for the seal,"
                    + " which takes the rights PROCESS and CONNECTION ADMIN",
            "a failover to a replica that has not replayed the seal, or a restored backup, brings the old fence row back");

    private static final List<String> TABLES = List.of(
            "CREATE TABLE IF NOT EXISTS signet_protected (name VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL"
                    + " PRIMARY KEY, resource VARBINARY(200) NOT NULL) ENGINE = InnoDB",
            MariaDbLog.TABLE);

    @Override
    public void protect(Connection connection, ResourceName resource, String table, Deadline deadline)
            throws SQLException {
        MariaDbLog.requireRow(connection, resource);
        for (String ddl : TABLES) {
            Sql.execute(connection, ddl);
        }
        MariaDbTables.requireSuitable(connection, resource, table);
        String owner = owner(connection, table);
        if (!owner.isEmpty() && !owner.equals(resource.name())) {
            throw new SQLException(
                    "table '" + table + "' is protected by resource '" + owner + "'; unprotect it there");
        }
        for (String procedure : triggers.procedures()) {
            Sql.execute(connection, procedure);
        }
        MariaDb.update(connection, "REPLACE INTO signet_protected VALUES (?, ?)", table, resource.name());
        for (String event : MariaDbTriggers.EVENTS) {
            waiting(connection, deadline, triggers.trigger(event, table, resource));
        }
        MariaDbLog.add(connection, "protect", resource, "table " + table);
    }

    /** Behind transactions that have used the table, for not longer than to the deadline. */
    private static void waiting(Connection connection, Deadline deadline, String ddl) throws SQLException {
        long seconds = Math.max(1, deadline.nanosLeft() / 1_000_000_000);
        Sql.execute(connection, "SET STATEMENT lock_wait_timeout = " + seconds + " FOR " + ddl);
    }

    private static String owner(Connection connection, String table) throws SQLException {
        List<String> owner = MariaDb.texts(connection, "SELECT resource FROM signet_protected WHERE name = ?", table);
        return owner.isEmpty() ? "" : owner.get(0);
    }

    @Override
    public void unprotect(Connection connection, ResourceName resource, String table, Deadline deadline)
            throws SQLException {
        String owner = isUsed(connection) ? owner(connection, table) : "";
        if (!owner.equals(resource.name())) {
            throw new SQLException("table '" + table + "' is "
                    + (owner.isEmpty()
                            ? "not protected"
                            : "protected by resource '" + owner + "'; unprotect it there"));
        }
        for (String event : MariaDbTriggers.EVENTS) {
            waiting(
                    connection,
                    deadline,
                    "DROP TRIGGER IF EXISTS " + MariaDb.identifier(MariaDbTriggers.name(event, table)));
        }
        MariaDb.update(connection, "DELETE FROM signet_protected WHERE name = ?", table);
        MariaDbLog.add(connection, "unprotect", resource, "table " + table);
    }

    /** Where tables are protected, in a transaction at whose end nobody takes it back. */
    static void carry(Connection connection, Stamp stamp) throws SQLException {
        if (isUsed(connection)) {
            MariaDbTriggers.carry(connection, stamp);
        }
    }

    /** As far as this user may see it. */
    private static boolean isUsed(Connection connection) throws SQLException {
        return !MariaDb.texts(
                        connection,
                        "SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'signet_protected'")
                .isEmpty();
    }

    @Override
    public List<ProtectedTable> tables(Connection connection) throws SQLException {
        List<ProtectedTable> tables = new ArrayList<>();
        if (isUsed(connection)) {
            for (String name : MariaDb.texts(connection, "SELECT name FROM signet_protected ORDER BY name")) {
                ResourceName resource = ResourceName.of(owner(connection, name));
                tables.add(new ProtectedTable(name, resource, faults(connection, resource, name)));
            }
        }
        return tables;
    }

    private List<String> faults(Connection connection, ResourceName resource, String table) throws SQLException {
        List<String> faults = new ArrayList<>(MariaDbTables.faults(connection, resource, table));
        for (String event : MariaDbTriggers.EVENTS) {
            String name = MariaDbTriggers.name(event, table);
            List<String> found = MariaDb.texts(
                    connection,
                    "SELECT CONCAT(action_timing, ' ', event_manipulation, ' ', action_statement) FROM information_schema.triggers"
                            + " WHERE trigger_schema = DATABASE() AND event_object_table = ? AND trigger_name = ?",
                    table,
                    name);
            if (found.isEmpty()) {
                faults.add("trigger " + name
                        + " is missing, or kept from this user, who lacks the right TRIGGER; run protect" + " again");
            } else if (!found.get(0).equalsIgnoreCase("BEFORE " + event + " " + triggers.call(resource))) {
                faults.add("trigger " + name + " was changed; run protect again");
            }
        }
        if (isProcedureChanged(connection)) {
            faults.add("procedure signet_admit is not the one of this Signet; run protect again");
        }
        return faults;
    }

    /** Its text is shown to who made it, and to whoever may see all. */
    private boolean isProcedureChanged(Connection connection) throws SQLException {
        return !MariaDb.texts(
                        connection,
                        "SELECT 1 FROM information_schema.routines WHERE routine_schema = DATABASE() AND routine_name = 'signet_admit'"
                                + " AND (security_type <> 'DEFINER' OR routine_definition <> ?)",
                        triggers.admit())
                .isEmpty();
    }

    @Override
    public List<String> holes() {
        return HOLES;
    }
}
