package dev.signet.fence.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/** Short statements to PostgreSQL. */
final class Postgres {

    private static final String MAY_NOT = "42501";
    private static final String READ_ONLY = "25006";
    private static final String NO_FUNCTION = "42883";
    private static final String IN_RECOVERY = "recovery is in progress";

    private Postgres() {}

    /** The same, with what to do, where the server does not say it. */
    static SQLException explained(SQLException failure) {
        String message = Objects.requireNonNullElse(failure.getMessage(), "");
        String hint = "";
        if (MAY_NOT.equals(failure.getSQLState()) && isOfFence(failure)) {
            hint =
                    "; grant EXECUTE on signet_admit and signet_check to who writes, on signet_raise and signet_view to who"
                            + " leads";
        } else if (READ_ONLY.equals(failure.getSQLState()) || message.contains(IN_RECOVERY)) {
            hint = "; a replica is for reading only: name the primary";
        }
        return hint.isEmpty()
                ? failure
                : new SQLException(message + hint, failure.getSQLState(), failure.getErrorCode(), failure);
    }

    /** Nothing was initialised, as far as this connection can see. A commit may fail for want of a function of others, too. */
    static boolean isNoFunction(SQLException failure) {
        return NO_FUNCTION.equals(failure.getSQLState()) && isOfFence(failure);
    }

    /** Each name of ours begins so, and a server names what is missing or forbidden in whatever language it speaks. */
    private static boolean isOfFence(SQLException failure) {
        return Objects.requireNonNullElse(failure.getMessage(), "").contains("signet_");
    }

    /** The failure of a commit: unclear, unless the server itself has refused. If the connection broke, it may have committed. */
    static SQLException ofCommit(SQLException failure) {
        String state = failure.getSQLState();
        boolean definite =
                state != null && !state.startsWith("08") && !state.startsWith("57P") && !state.startsWith("XX");
        return definite ? failure : new UnclearCommitException(failure);
    }

    static PreparedStatement prepared(Connection connection, String sql, Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }

    static void execute(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepared(connection, sql, parameters)) {
            statement.execute();
        }
    }

    /** The first column of the first row; empty if there is none. */
    static String text(Connection connection, String query, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepared(connection, query, parameters);
                ResultSet row = statement.executeQuery()) {
            return row.next() ? Objects.requireNonNullElse(row.getString(1), "") : "";
        }
    }

    /**
     * A transaction of its own, on a connection with autocommit, in which no statement waits longer than to the deadline; rolled
     * back if it throws.
     */
    static void inTransaction(Connection connection, Deadline deadline, Deadline.Statement work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            execute(
                    connection,
                    "SELECT set_config('statement_timeout', ?, true)",
                    Long.toString(Math.max(1, deadline.nanosLeft() / 1_000_000)));
            work.run();
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }
}
