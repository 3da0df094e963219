package dev.signet.fence.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A pool of one: the borrower's close gives the connection back as it was left, to who waits for it. */
record OneConnection(Connection connection, Semaphore here) implements DataSource {

    OneConnection(Connection connection) {
        this(connection, new Semaphore(1));
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            if (!here.tryAcquire(JdbcSite.LATER.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new SQLTransientConnectionException("the only connection is not given back");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted", e);
        }
        return LentConnection.of(connection, unused -> here.release());
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public PrintWriter getLogWriter() {
        return new PrintWriter(System.out, true, java.nio.charset.StandardCharsets.UTF_8);
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return type.cast(connection);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(connection);
    }
}
