package dev.signet.fence.jdbc;

import dev.signet.fence.jdbc.SqliteTriggers.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Which tables the triggers work on; the others are refused, with what to change. */
final class SqliteTables {

    static final String TOKEN = "signet_token";
    static final String TERM = "signet_term";

    private SqliteTables() {}

    /** @throws SQLException if the table is not there or cannot be protected; the message says what to change */
    static Table suitable(Connection connection, String asked) throws SQLException {
        String name = Sqlite.text(
                        connection,
                        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE",
                        asked)
                .orElseThrow(() -> new SQLException("there is no table '" + asked + "' in this database"));
        String type = Sqlite.text(
                        connection, "SELECT type FROM pragma_table_list WHERE schema = 'main' AND name = ?", name)
                .orElse("");
        String lower = name.toLowerCase(Locale.ROOT);
        if (!type.equals("table") || lower.startsWith("sqlite_") || lower.startsWith("signet_")) {
            throw new SQLException("'" + name + "' is not an ordinary table; protect the tables beneath it");
        }
        List<Column> columns = columns(connection, name);
        requireToken(name, columns);
        requireTerm(name, columns);
        requireNoIndexOnTerm(connection, name);
        return new Table(name, key(connection, name, columns));
    }

    private static void requireToken(String table, List<Column> columns) throws SQLException {
        Column token = named(table, columns, TOKEN);
        if (!token.type.contains("INT") || token.generated || token.key > 0) {
            throw new SQLException("column signet_token of '" + table
                    + "' must be a plain column of type INTEGER, outside the primary key");
        }
    }

    private static void requireTerm(String table, List<Column> columns) throws SQLException {
        Column term = named(table, columns, TERM);
        if (!term.type.contains("TEXT") || term.generated || term.key > 0 || term.notNull || term.hasDefault) {
            throw new SQLException("column signet_term of '" + table
                    + "' must be a plain column of type TEXT, without NOT NULL or DEFAULT, outside the primary key");
        }
    }

    private static Column named(String table, List<Column> columns, String name) throws SQLException {
        return columns.stream()
                .filter(column -> column.name.equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new SQLException("table '" + table + "' has no column " + name
                        + "; add signet_token INTEGER and signet_term TEXT"));
    }

    /** With an index on it, clearing the stamp could conflict, and under OR REPLACE delete another row. */
    private static void requireNoIndexOnTerm(Connection connection, String table) throws SQLException {
        String indexed = "SELECT l.name FROM pragma_index_list(?1) l WHERE EXISTS"
                + " (SELECT 1 FROM pragma_index_info(l.name) i WHERE i.name = 'signet_term' COLLATE NOCASE)"
                + " OR EXISTS (SELECT 1 FROM main.sqlite_schema s WHERE s.name = l.name AND s.sql LIKE '%signet_term%')";
        List<String> indexes = Sqlite.texts(connection, indexed, table);
        if (!indexes.isEmpty()) {
            throw new SQLException("index '" + indexes.get(0) + "' covers signet_term, which is NULL at rest; drop it");
        }
    }

    private static List<String> key(Connection connection, String table, List<Column> columns) throws SQLException {
        boolean withoutRowid = Sqlite.text(
                        connection, "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?", table)
                .orElse("")
                .equals("1");
        if (withoutRowid) {
            return columns.stream()
                    .filter(column -> column.key > 0)
                    .sorted(Comparator.comparingInt(Column::key))
                    .map(Column::name)
                    .toList();
        }
        return Stream.of("rowid", "_rowid_", "oid")
                .filter(alias -> columns.stream().noneMatch(column -> column.name.equalsIgnoreCase(alias)))
                .findFirst()
                .map(List::of)
                .orElseThrow(
                        () -> new SQLException(
                                "table '" + table
                                        + "' has columns named rowid, _rowid_ and oid, so that its rows cannot be told apart; rename one"));
    }

    private static List<Column> columns(Connection connection, String table) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT name, upper(type), \"notnull\", dflt_value IS NOT NULL, pk, hidden > 0 FROM pragma_table_xinfo(?)")) {
            select.setString(1, table);
            List<Column> columns = new ArrayList<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    columns.add(new Column(
                            row.getString(1),
                            row.getString(2),
                            row.getBoolean(3),
                            row.getBoolean(4),
                            row.getInt(5),
                            row.getBoolean(6)));
                }
            }
            return columns;
        }
    }

    private record Column(String name, String type, boolean notNull, boolean hasDefault, int key, boolean generated) {}
}
