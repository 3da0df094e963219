package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** SQLite's triggers, installed in one write transaction. */
record SqliteEnforcement(SqliteTriggers triggers) implements Enforcement {

    @Override
    public void protect(Connection connection, ResourceName resource, String table, Deadline deadline)
            throws SQLException {
        try (Quick quick = new Quick(connection)) {
            quick.immediately(deadline, () -> new SqliteProtection(connection, triggers).protect(resource, table));
        }
    }

    @Override
    public void unprotect(Connection connection, ResourceName resource, String table, Deadline deadline)
            throws SQLException {
        try (Quick quick = new Quick(connection)) {
            quick.immediately(deadline, () -> new SqliteProtection(connection, triggers).unprotect(resource, table));
        }
    }

    @Override
    public List<ProtectedTable> tables(Connection connection) throws SQLException {
        return SqliteSchema.isInitialised(connection) ? new SqliteProtection(connection, triggers).tables() : List.of();
    }

    @Override
    public List<String> holes() {
        return SqliteProtection.HOLES;
    }
}
