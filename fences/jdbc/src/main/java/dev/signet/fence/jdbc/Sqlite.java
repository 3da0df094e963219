package dev.signet.fence.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Small things that SQLite wants said its own way. */
final class Sqlite {

    private Sqlite() {}

    /** The primary result code, without what SQLite adds in the higher bits. */
    static int code(SQLException failure) {
        int code = failure instanceof SQLiteException sqlite ? sqlite.getResultCode().code : failure.getErrorCode();
        return code & 0xff;
    }

    static boolean is(SQLException failure, SQLiteErrorCode code) {
        return code(failure) == code.code;
    }

    static boolean isBusy(SQLException failure) {
        return is(failure, SQLiteErrorCode.SQLITE_BUSY) || is(failure, SQLiteErrorCode.SQLITE_LOCKED);
    }

    static boolean isMissingTable(SQLException failure) {
        String message = failure.getMessage();
        return is(failure, SQLiteErrorCode.SQLITE_ERROR) && message != null && message.contains("no such table");
    }

    static int execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    static Optional<String> text(Connection connection, String sql, String... arguments) throws SQLException {
        return texts(connection, sql, arguments).stream().findFirst();
    }

    /** The first column of each row; a null there reads as an empty text. */
    static List<String> texts(Connection connection, String sql, String... arguments) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setString(i + 1, arguments[i]);
            }
            List<String> texts = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String text = rows.getString(1);
                    texts.add(text == null ? "" : text);
                }
            }
            return texts;
        }
    }

    /** Whether a trigger is as it was made: empty if it is, else what is wrong. */
    static Optional<String> triggerFault(Connection connection, String table, String trigger, String definition)
            throws SQLException {
        String sql = "SELECT sql FROM main.sqlite_schema WHERE type = 'trigger' AND name = ?1"
                + " AND tbl_name = ?2 COLLATE NOCASE";
        Optional<String> found = text(connection, sql, trigger, table);
        if (found.isEmpty()) {
            return Optional.of("trigger " + trigger + " is missing");
        }
        return found.get().equals("CREATE TRIGGER " + definition)
                ? Optional.empty()
                : Optional.of("trigger " + trigger + " was changed");
    }

    /** Commits, waiting for readers, which without a write-ahead log are in the way. */
    static void commit(Deadline.Statement commit, Deadline deadline) throws SQLException {
        try {
            deadline.retry(commit, Sqlite::isBusy, Deadline.EAGER_NANOS);
        } catch (SQLException e) {
            boolean definite = isBusy(e)
                    || is(e, SQLiteErrorCode.SQLITE_CONSTRAINT) // deferred foreign keys: the transaction is still open
                    || is(e, SQLiteErrorCode.SQLITE_FULL) // the mark that commits is what is written last
                    || is(e, SQLiteErrorCode.SQLITE_ERROR);
            throw definite ? e : new UnclearCommitException(e);
        }
    }

    static String identifier(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    static String literal(String text) {
        return '\'' + text.replace("'", "''") + '\'';
    }
}
