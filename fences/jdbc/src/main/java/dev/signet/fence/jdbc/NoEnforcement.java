package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Where only writes that go through the fence are checked. */
record NoEnforcement(List<String> holes) implements Enforcement {

    @Override
    public void protect(Connection connection, ResourceName resource, String table, Deadline deadline)
            throws SQLException {
        throw new SQLException("this database cannot be made to refuse by itself; write through the fence");
    }

    @Override
    public void unprotect(Connection connection, ResourceName resource, String table, Deadline deadline)
            throws SQLException {
        throw new SQLException("table '" + table + "' is not protected");
    }

    @Override
    public List<ProtectedTable> tables(Connection connection) {
        return List.of();
    }
}
