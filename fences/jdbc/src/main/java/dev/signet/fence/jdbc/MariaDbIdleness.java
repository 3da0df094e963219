package dev.signet.fence.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How long a session of MariaDB may say nothing in its transaction before the server ends it. What was set before waits in
 * variables of the session until it is put back. The specific limits win over the general one, so all three are set; a shorter
 * one of the user's stays.
 */
final class MariaDbIdleness {

    private static final String REMEMBER = assignments(limit -> "@signet_" + limit + " = @@SESSION." + limit);

    private static final String RESTORE = "SET "
            + assignments(limit -> "SESSION " + limit + " = COALESCE(@signet_" + limit + ", @@SESSION." + limit + ")")
            + ", " + assignments(limit -> "@signet_" + limit + " = NULL");

    private MariaDbIdleness() {}

    private static String assignments(UnaryOperator<String> assignment) {
        return Stream.of(
                        "idle_transaction_timeout",
                        "idle_readonly_transaction_timeout",
                        "idle_write_transaction_timeout")
                .map(assignment)
                .collect(Collectors.joining(", "));
    }

    /** In whole seconds. */
    static void bound(Connection connection, Duration longest) throws SQLException {
        long seconds = Math.max(1, (longest.toMillis() + 999) / 1000);
        String bound = assignments(limit -> "SESSION " + limit + " = IF(@@SESSION." + limit + " BETWEEN 1 AND "
                + seconds + ", @@SESSION." + limit + ", " + seconds + ")");
        Sql.execute(connection, "SET " + REMEMBER + ", " + bound);
    }

    static void restore(Connection connection) throws SQLException {
        Sql.execute(connection, RESTORE);
    }
}
