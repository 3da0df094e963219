package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.PostgresTriggers.ROWS;
import static dev.signet.fence.jdbc.PostgresTriggers.TRUNCATE;

import dev.signet.ResourceName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** PostgreSQL's triggers, installed in one transaction on a table and on all that inherits from it. */
record PostgresEnforcement(String script, PostgresTriggers triggers) implements Enforcement {

    /** What no trigger can see. The page on this fence names the test that shows each. */
    static final List<String> HOLES = List.of(
            "the owner of a protected table, and a superuser, may disable or drop its triggers, or the table: they stop"
                    + " mistakes and stale leaders, not an intruder",
            "who knows the stamp of a later term can set it in a transaction whose rows were decided under an earlier one",
            "a copy of the database's files brings the old fence row back unseen, as CREATE DATABASE ... TEMPLATE makes one; a"
                    + " dump restored with --disable-triggers leaves the triggers less than always enabled",
            "a partition that is added later does not refuse TRUNCATE, nor a child that inherits any write, until the table is"
                    + " protected again",
            "after TRUNCATE, and after SET CONSTRAINTS IMMEDIATE, an open transaction holds a seal up until it ends or has"
                    + " stood still for too long");

    @Override
    public void protect(Connection connection, ResourceName resource, String name, Deadline deadline)
            throws SQLException {
        Postgres.inTransaction(connection, deadline, () -> {
            requireRow(connection, resource);
            takeTurns(connection);
            PostgresTable table = PostgresTable.suitable(connection, name);
            String owner = owner(connection, table);
            if (!owner.isEmpty() && !owner.equals(resource.name())) {
                throw new SQLException("table '" + table.name() + "' is protected by resource '" + owner
                        + "'; unprotect it there first");
            }
            install(connection, resource, table);
            forget(connection, table);
            Postgres.execute(
                    connection,
                    "INSERT INTO signet_protected VALUES (?::oid::regclass, ?, ?)",
                    table.id(),
                    table.name(),
                    resource.name());
            PostgresSchema.log(connection, "protect", resource, "table " + table.name());
        });
    }

    private static void requireRow(Connection connection, ResourceName resource) throws SQLException {
        if (!isInitialised(connection)
                || Postgres.text(connection, "SELECT role FROM signet_view(?)", resource.name())
                        .isEmpty()) {
            throw new SQLException("resource '" + resource + "' has no fence row here; run first: signet fence init");
        }
    }

    private static boolean isInitialised(Connection connection) throws SQLException {
        return !Postgres.text(connection, "SELECT to_regclass('signet_protected')::text")
                .isEmpty();
    }

    private static void takeTurns(Connection connection) throws SQLException {
        Postgres.execute(connection, "SELECT pg_advisory_xact_lock(1397311311, 0)");
    }

    private void install(Connection connection, ResourceName resource, PostgresTable table) throws SQLException {
        List<PostgresTable> family = table.family(connection);
        String call = Postgres.text(
                connection,
                "SELECT 'signet_enforce'::regproc::text || '(' || quote_literal(?) || ')'",
                resource.name());
        for (PostgresTable each : family) {
            PostgresTable.requireSuitable(connection, each);
            drop(connection, each);
        }
        for (PostgresTable each : family) {
            if (!hasTrigger(connection, each, ROWS)) {
                Postgres.execute(connection, triggers.rows(each.name(), call));
            }
            Postgres.execute(connection, triggers.truncate(each.name(), call));
            Postgres.execute(connection, triggers.always(each.name()));
        }
    }

    /** Parents before their partitions, whose copies go with them. */
    private static void drop(Connection connection, PostgresTable table) throws SQLException {
        for (String trigger : List.of(ROWS, TRUNCATE)) {
            if (hasTrigger(connection, table, trigger)) {
                Postgres.execute(connection, "DROP TRIGGER " + trigger + " ON " + table.name());
            }
        }
    }

    private static boolean hasTrigger(Connection connection, PostgresTable table, String trigger) throws SQLException {
        String query = "SELECT 1 FROM pg_trigger WHERE tgrelid = ?::oid AND tgname = ?";
        return !Postgres.text(connection, query, table.id(), trigger).isEmpty();
    }

    private static String owner(Connection connection, PostgresTable table) throws SQLException {
        return Postgres.text(connection, "SELECT resource FROM signet_protected WHERE relation = ?::oid", table.id());
    }

    /** Also that another table of this name once was. */
    private static void forget(Connection connection, PostgresTable table) throws SQLException {
        Postgres.execute(
                connection,
                "DELETE FROM signet_protected p WHERE relation = ?::oid OR name = ?"
                        + " AND NOT EXISTS (SELECT 1 FROM pg_class c WHERE c.oid = p.relation)",
                table.id(),
                table.name());
    }

    @Override
    public void unprotect(Connection connection, ResourceName resource, String name, Deadline deadline)
            throws SQLException {
        Postgres.inTransaction(connection, deadline, () -> {
            requireRow(connection, resource);
            takeTurns(connection);
            PostgresTable table = PostgresTable.named(connection, name);
            String owner = owner(connection, table);
            if (!owner.equals(resource.name())) {
                throw new SQLException("table '" + table.name() + "' is "
                        + (owner.isEmpty()
                                ? "not protected"
                                : "protected by resource '" + owner + "'; unprotect it there"));
            }
            for (PostgresTable each : table.family(connection)) {
                drop(connection, each);
            }
            forget(connection, table);
            PostgresSchema.log(connection, "unprotect", resource, "table " + table.name());
        });
    }

    @Override
    public List<ProtectedTable> tables(Connection connection) throws SQLException {
        return isInitialised(connection) ? new PostgresProtection(connection, script).tables() : List.of();
    }

    @Override
    public List<String> holes() {
        return HOLES;
    }
}
