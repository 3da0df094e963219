package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks whether what protects the tables is as it was installed. On one connection; needs no rights but to read the catalog. */
record PostgresProtection(Connection connection, String script) {

    private static final String FUNCTIONS =
            "SELECT proname, prosrc, provolatile = 'v' AND (proname = 'signet_place' OR prosecdef AND proconfig IS NOT NULL),"
                    + " quote_ident(nspname) FROM pg_proc JOIN pg_namespace n ON n.oid = pronamespace"
                    + " WHERE proname IN ('signet_enforce', 'signet_admit', 'signet_place', 'signet_raise') AND pronamespace ="
                    + " (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('signet_protected'))";

    List<ProtectedTable> tables() throws SQLException {
        List<ProtectedTable> tables = new ArrayList<>();
        List<String> common = functionFaults();
        try (PreparedStatement select = Postgres.prepared(
                        connection,
                        "SELECT p.relation::oid, coalesce(c.oid::regclass::text, p.name), p.resource, c.oid IS NULL"
                                + " FROM signet_protected p LEFT JOIN pg_class c ON c.oid = p.relation ORDER BY 2");
                ResultSet row = select.executeQuery()) {
            while (row.next()) {
                PostgresTable table = new PostgresTable(row.getLong(1), row.getString(2));
                ResourceName resource = ResourceName.of(row.getString(3));
                List<String> faults = new ArrayList<>(common);
                if (row.getBoolean(4)) {
                    faults.add("it was dropped; protect what took its place");
                } else {
                    faults.addAll(triggerFaults(table, resource));
                }
                tables.add(new ProtectedTable(table.name(), resource, faults));
            }
        }
        return tables;
    }

    private List<String> triggerFaults(PostgresTable table, ResourceName resource) throws SQLException {
        List<String> faults = new ArrayList<>();
        for (PostgresTable each : table.family(connection)) {
            String where = each.id() == table.id() ? "" : " on " + each.name();
            try (PreparedStatement select = Postgres.prepared(
                            connection, PostgresTriggers.FAULTS, resource.name(), each.id(), resource.name());
                    ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    faults.add("trigger " + row.getString(1) + where + "; run protect again");
                }
            }
        }
        return faults;
    }

    private List<String> functionFaults() throws SQLException {
        List<String> faults = new ArrayList<>();
        try (PreparedStatement select = Postgres.prepared(connection, FUNCTIONS);
                ResultSet row = select.executeQuery()) {
            while (row.next()) {
                String ours = script.replace("@schema@", row.getString(4));
                if (!ours.contains("$$" + row.getString(2) + "$$") || !row.getBoolean(3)) {
                    faults.add("function " + row.getString(1)
                            + " is not the one of this Signet; have whoever changed it put" + " it back");
                }
            }
        }
        return faults;
    }
}
