package dev.signet.fence.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection that is somebody else's, such as a pool's: in autocommit mode from here on, whatever the pool hands out, and
 * given back as it was found. For one thread.
 */
final class Borrowed implements AutoCloseable {

    private final Connection connection;
    private final boolean found;

    Borrowed(Connection connection) throws SQLException {
        this.connection = connection;
        this.found = connection.getAutoCommit();
        if (!found) {
            connection.setAutoCommit(true);
        }
    }

    Connection connection() {
        return connection;
    }

    @Override
    public void close() throws SQLException {
        try (connection) {
            if (!connection.isClosed() && connection.getAutoCommit() != found) {
                connection.setAutoCommit(found);
            }
        }
    }
}
