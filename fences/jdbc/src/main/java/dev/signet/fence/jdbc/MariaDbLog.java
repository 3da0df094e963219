package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.StoreId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What an operator does to a fence on MariaDB, and the record of it: for whoever asks later who changed what is protected. */
final class MariaDbLog {

    static final String TABLE = "CREATE TABLE IF NOT EXISTS signet_fence_log (at TIMESTAMP(6) NOT NULL DEFAULT"
            + " CURRENT_TIMESTAMP(6), who VARCHAR(400) NOT NULL, act VARCHAR(20) NOT NULL, resource VARBINARY(200) NOT NULL,"
            + " detail TEXT NOT NULL) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4";

    private MariaDbLog() {}

    static void add(Connection connection, String act, ResourceName resource, String detail) throws SQLException {
        MariaDb.update(
                connection,
                "INSERT INTO signet_fence_log (who, act, resource, detail) VALUES (USER(), ?, ?, ?)",
                act,
                resource.name(),
                detail);
    }

    static void requireRow(Connection connection, ResourceName resource) throws SQLException {
        if (!MariaDbSchema.isInitialised(connection)
                || MariaDb.texts(connection, "SELECT role FROM signet_fence WHERE resource = ?", resource.name())
                        .isEmpty()) {
            throw noRow(resource);
        }
    }

    private static SQLException noRow(ResourceName resource) {
        return new SQLException("resource '" + resource + "' has no fence row here; run: signet fence init");
    }

    /** On a connection with autocommit. */
    static void reset(
            Connection connection, ResourceName resource, Role role, StoreId storeId, String reason, Deadline deadline)
            throws SQLException {
        requireRow(connection, resource);
        Sql.execute(connection, TABLE);
        connection.setAutoCommit(false);
        try {
            List<String> before = MariaDb.texts(
                    connection,
                    MariaDb.within(deadline)
                            + "SELECT CONCAT('was role ', role, ' of store ', store_id, ', token ', max_token, ', term ',"
                            + " IF(term_id = '', '-', LEFT(SHA2(term_id, 256), 12))) FROM signet_fence WHERE resource = ? FOR UPDATE",
                    resource.name());
            if (before.isEmpty()) {
                throw noRow(resource);
            }
            MariaDb.update(
                    connection,
                    "UPDATE signet_fence SET role = ?, store_id = ?, max_token = 0, term_id = '' WHERE resource = ?",
                    role.name(),
                    storeId.value(),
                    resource.name());
            add(
                    connection,
                    "reset",
                    resource,
                    "to role " + role + " of store " + storeId + "; " + before.get(0) + "; " + reason);
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }
}
