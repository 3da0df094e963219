package dev.signet.fence.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A table of a PostgreSQL database.
 *
 * @param id its oid
 * @param name as SQL would have it: quoted where it must be, with its schema where the search path does not lead there
 */
record PostgresTable(long id, String name) {

    private static final Pattern IDENTIFIERS = Pattern.compile(
            "(\"[^\"]+\"|[\\p{L}_][\\p{L}\\p{N}_$]*)" + "([.](\"[^\"]+\"|[\\p{L}_][\\p{L}\\p{N}_$]*))?");

    /** The name itself wins over what SQL would read in it: {@code odd Name}, {@code Ledger}. */
    private static final String BY_NAME = "SELECT c.oid, c.oid::regclass::text FROM pg_class c JOIN pg_namespace n"
            + " ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')"
            + " AND (c.relname = ? AND pg_table_is_visible(c.oid) OR n.nspname || '.' || c.relname = ?)";

    /**
     * @param name as the database has it, with its schema or without, or as one would write it in SQL
     * @throws SQLException if there is none, or none that can be protected
     */
    static PostgresTable suitable(Connection connection, String name) throws SQLException {
        PostgresTable table = named(connection, name);
        requireSuitable(connection, table);
        return table;
    }

    static void requireSuitable(Connection connection, PostgresTable table) throws SQLException {
        String kind = Postgres.text(
                connection,
                "SELECT CASE WHEN relpersistence = 't' THEN 't' WHEN relname LIKE 'signet\\_%' AND relnamespace ="
                        + " (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('signet_fence')) THEN 's'"
                        + " ELSE relkind::text END FROM pg_class WHERE oid = ?",
                table.id);
        String what = switch (kind) {
            case "r", "p" -> "";
            case "v" -> "a view; protect the tables that it shows";
            case "m" -> "a materialized view; protect the tables that it is made of";
            case "f" -> "a foreign table; protect the table on the server where it is";
            case "t" -> "a temporary table, which nobody else writes";
            case "s" -> "the fence's own: no seal could write it any more";
            default -> "no table";
        };
        if (!what.isEmpty()) {
            throw new SQLException("'" + table.name + "' is " + what);
        }
    }

    static PostgresTable named(Connection connection, String name) throws SQLException {
        List<PostgresTable> found = tables(connection, BY_NAME, name, name);
        if (found.isEmpty() && IDENTIFIERS.matcher(name).matches()) {
            found = tables(
                    connection, "SELECT oid, oid::regclass::text FROM pg_class WHERE oid = to_regclass(?)", name);
        }
        if (found.isEmpty()) {
            throw new SQLException("there is no table '" + name
                    + "' here; write SCHEMA.TABLE if it is in a schema that the" + " search path does not name");
        }
        if (found.size() > 1) {
            throw new SQLException("'" + name + "' may be " + found.get(0).name + " or " + found.get(1).name
                    + "; write it as in SQL, in double quotes");
        }
        return found.get(0);
    }

    /** Itself, and what inherits from it or is a partition of it, at whatever depth; parents first. */
    List<PostgresTable> family(Connection connection) throws SQLException {
        return tables(
                connection,
                "WITH RECURSIVE family(member, depth) AS (SELECT ?::oid, 0 UNION SELECT inhrelid, depth + 1"
                        + " FROM pg_inherits JOIN family ON inhparent = member) SELECT member, member::regclass::text AS name"
                        + " FROM family JOIN pg_class ON oid = member WHERE relkind IN ('r', 'p', 'f')"
                        + " GROUP BY member ORDER BY max(depth), member",
                id);
    }

    static List<PostgresTable> tables(Connection connection, String query, Object... parameters) throws SQLException {
        try (PreparedStatement select = Postgres.prepared(connection, query, parameters);
                ResultSet row = select.executeQuery()) {
            List<PostgresTable> found = new ArrayList<>();
            while (row.next()) {
                found.add(new PostgresTable(row.getLong(1), row.getString(2)));
            }
            return found;
        }
    }
}
