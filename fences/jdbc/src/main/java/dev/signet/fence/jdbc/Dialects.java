package dev.signet.fence.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Which databases can carry a fence. */
final class Dialects {

    private Dialects() {}

    /** @param options what a dialect may need to know of them */
    static Dialect of(Connection connection, JdbcFenceOptions options) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return options.admission() == Admission.AT_COMMIT ? atCommit(product, options) : beforeWork(product, options);
    }

    private static Dialect atCommit(String product, JdbcFenceOptions options) throws SQLException {
        if (!product.equals("PostgreSQL")) {
            throw new SQLException(
                    "the connection leads to " + product
                            + ", where a stamp is admitted before the work only; leave JdbcFenceOptions.admission at BEFORE_WORK");
        }
        return new PostgresAtCommit(options.longestIdle());
    }

    private static Dialect beforeWork(String product, JdbcFenceOptions options) throws SQLException {
        return switch (product) {
            case "SQLite" -> new SqliteDialect();
            case "PostgreSQL" -> new PostgresDialect(options.longestIdle());
            case "MariaDB" -> new MariaDbDialect(options);
            case "H2" -> new H2Dialect(options);
            default -> throw new SQLException("the connection leads to " + product + ", where there is no fence yet");
        };
    }
}
