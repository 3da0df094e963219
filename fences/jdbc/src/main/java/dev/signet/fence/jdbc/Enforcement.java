package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Has a database itself refuse each write to a table that does not carry the stamp of the current term. Stateless. */
interface Enforcement {

    /** @throws SQLException if the table cannot be protected; the message says what to change */
    void protect(Connection connection, ResourceName resource, String table, Deadline deadline) throws SQLException;

    void unprotect(Connection connection, ResourceName resource, String table, Deadline deadline) throws SQLException;

    /** All protected tables of the database, of whatever resource, as they are found. */
    List<ProtectedTable> tables(Connection connection) throws SQLException;

    /** What remains open with this database, in sentences. */
    List<String> holes();
}
