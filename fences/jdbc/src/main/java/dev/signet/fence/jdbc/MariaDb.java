package dev.signet.fence.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Small things that MariaDB wants said its own way. It is known by its numbers, not by its driver's classes. */
final class MariaDb {

    static final int DUPLICATE_KEY = 1062;
    static final int NO_SUCH_THREAD = 1094;
    static final int ACCESS_DENIED = 1227;
    static final int MISSING_TABLE = 1146;
    static final int MISSING_SAVEPOINT = 1305;

    /** Deadlock, lock wait time-out, statement time-out, a row that changed after the snapshot. */
    private static final Set<Integer> TRANSIENT = Set.of(1213, 1205, 1969, 1020);

    private MariaDb() {}

    static boolean is(SQLException failure, int code) {
        return failure.getErrorCode() == code;
    }

    static boolean isTransient(SQLException failure) {
        return TRANSIENT.contains(failure.getErrorCode());
    }

    /** Whether the connection is gone, and its transaction with it. */
    static boolean isGone(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && state.startsWith("08");
    }

    /** The first column of all rows. */
    static List<String> texts(Connection connection, String sql, String... parameters) throws SQLException {
        try (PreparedStatement select = prepared(connection, sql, parameters);
                ResultSet row = select.executeQuery()) {
            List<String> texts = new ArrayList<>();
            while (row.next()) {
                texts.add(row.getString(1));
            }
            return texts;
        }
    }

    static void update(Connection connection, String sql, String... parameters) throws SQLException {
        try (PreparedStatement update = prepared(connection, sql, parameters)) {
            update.executeUpdate();
        }
    }

    private static PreparedStatement prepared(Connection connection, String sql, String... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setString(i + 1, parameters[i]);
        }
        return statement;
    }

    static String identifier(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /**
     * What bounds one statement's wait to the microsecond, and leaves the session as it is. The lock's own time-out, which has
     * whole seconds, must not come first.
     */
    static String within(Deadline deadline) {
        long micros = Math.max(1, deadline.nanosLeft() / 1000);
        long seconds = (micros + 999_999) / 1_000_000;
        return "SET STATEMENT max_statement_time = " + micros / 1_000_000 + "."
                + String.format(Locale.ROOT, "%06d", micros % 1_000_000) + ", innodb_lock_wait_timeout = "
                + seconds + " FOR ";
    }
}
