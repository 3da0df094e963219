package dev.signet.fence.jdbc;

import dev.signet.testkit.IsolationLevel;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * A pool whose connections are all open already, at one level: for writers that begin at once. HikariCP, on which the other tests
 * are, rests for 30 ms after each that it opens.
 */
final class OpenPool extends AbstractDataSource implements AutoCloseable {

    private final DataSource source;
    private final IsolationLevel level;
    private final BlockingQueue<Connection> idle;
    private volatile boolean over;

    OpenPool(DataSource source, IsolationLevel level, int connections) throws SQLException {
        this.source = source;
        this.level = level;
        idle = new ArrayBlockingQueue<>(connections);
        for (int i = 0; i < connections; i++) {
            idle.add(open());
        }
    }

    private Connection open() throws SQLException {
        Connection connection = source.getConnection();
        connection.setTransactionIsolation(level.jdbc());
        return connection;
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            Connection connection = idle.poll(JdbcSite.LATER.toMillis(), TimeUnit.MILLISECONDS);
            if (connection == null) {
                throw new SQLTransientConnectionException("no connection is given back");
            }
            return LentConnection.of(connection, this::takeBack);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted", e);
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    /** Rolled back, and otherwise as it was left; or another in its place, if the server has ended it. */
    private void takeBack(Connection connection) throws SQLException {
        if (over) {
            connection.close();
            return;
        }
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
            idle.add(connection);
        } catch (SQLException e) {
            connection.close();
            idle.add(open());
        }
    }

    /** Those that are lent are closed when they are given back. */
    @Override
    public void close() throws SQLException {
        over = true;
        for (Connection connection = idle.poll(); connection != null; connection = idle.poll()) {
            connection.close();
        }
    }
}
