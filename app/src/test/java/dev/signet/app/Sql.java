package dev.signet.app;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Statements by which a test arranges and looks at a database, each on a connection of its own. */
public final class Sql {

    private Sql() {}

    public static void execute(String url, String sql) {
        query(url, sql);
    }

    /** @return the first column of the first row, or nothing */
    public static String query(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet rows = statement.getResultSet()) {
                return rows.next() ? rows.getString(1) : "";
            }
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }
}
