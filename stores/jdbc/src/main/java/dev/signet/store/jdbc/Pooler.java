package dev.signet.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * Tells a pooler that gives each transaction another connection to PostgreSQL from one that does not, and from the server
 * itself. A server names the process that serves a connection when that begins, and whenever it is asked; whoever stands
 * between makes up the first. It gives connections per transaction if a transaction of one client moves another client to
 * another process: no server and no pooler per session does that.
 */
final class Pooler {

    private static final String PROCESS = "SELECT pg_backend_pid()";

    /** One round finds out a pooler that nobody else uses, whether it prefers the newest or the oldest connection. */
    private static final int ROUNDS = 3;

    private final ServerDialect.ConnectionSource more;

    Pooler(ServerDialect.ConnectionSource more) {
        this.more = more;
    }

    /** @param link in autocommit */
    boolean sharesConnectionsOf(Link link) throws SQLException {
        Connection connection = link.connection();
        int process = process(connection);
        return connection.unwrap(PGConnection.class).getBackendPID() != process && moves(connection, process);
    }

    private boolean moves(Connection connection, int process) throws SQLException {
        try (Connection other = more.open()) {
            other.setAutoCommit(true);
            for (int round = 0; round < ROUNDS; round++) {
                // not by setAutoCommit: the driver prepares its own BEGIN by a name, which another client may have
                // given
                execute(other, "BEGIN");
                int taken = process(other);
                boolean moved = process(connection) != process;
                execute(other, "COMMIT");
                if (moved || taken == process || process(connection) != process) {
                    return true;
                }
            }
            return false;
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int process(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(PROCESS)) {
            row.next();
            return row.getInt(1);
        }
    }
}
