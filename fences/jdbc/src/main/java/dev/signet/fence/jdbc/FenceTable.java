package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * {@code signet_fence} where its texts are bytes: no collation takes {@code role}, {@code Role} and {@code role␠} for one,
 * and no character set of a connection changes what is sent.
 */
final class FenceTable {

    static final int VERSION = 1;

    static final String COLUMNS = " (resource VARBINARY(200) NOT NULL PRIMARY KEY, role VARBINARY(200) NOT NULL,"
            + " store_id VARBINARY(200) NOT NULL,"
            + " max_token BIGINT NOT NULL CHECK (max_token BETWEEN 0 AND 9007199254740991),"
            + " term_id VARBINARY(32) NOT NULL)";

    static final String SELECT = "SELECT role, store_id, max_token, term_id FROM signet_fence WHERE resource = ?";

    /**
     * The conditional update itself. It says nothing of a seal made again: the row that is found after it has changed nothing
     * tells, whatever the driver counts as changed.
     */
    static final String RAISE = "UPDATE signet_fence SET max_token = ?, term_id = ? WHERE resource = ? AND role = ?"
            + " AND store_id = ? AND max_token < ? AND ? - max_token <= ?";

    private FenceTable() {}

    /** @param select {@link #SELECT}, with what a lock needs around it */
    static Optional<FenceRow> row(Connection connection, String select, ResourceName resource) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(select)) {
            statement.setBytes(1, bytes(resource.name()));
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? Optional.of(new FenceRow(
                                resource,
                                Role.of(text(row, 1)),
                                new StoreId(text(row, 2)),
                                row.getLong(3),
                                text(row, 4)))
                        : Optional.empty();
            }
        } catch (IllegalArgumentException e) {
            throw new SQLException("the fence row is damaged: " + e.getMessage(), e);
        }
    }

    /** @param raise {@link #RAISE}, with what bounds its wait before it */
    static int raise(Connection connection, String raise, ResourceName resource, Stamp stamp, long maxJump)
            throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(raise)) {
            update.setLong(1, stamp.token().value());
            update.setBytes(2, bytes(stamp.termId().secret()));
            update.setBytes(3, bytes(resource.name()));
            update.setBytes(4, bytes(stamp.role().name()));
            update.setBytes(5, bytes(stamp.storeId().value()));
            update.setLong(6, stamp.token().value());
            update.setLong(7, stamp.token().value());
            update.setLong(8, maxJump);
            return update.executeUpdate();
        }
    }

    /** Fails where there is a row of this resource. */
    static void insert(Connection connection, ResourceName resource, Role role, StoreId storeId) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO signet_fence (resource, role, store_id, max_token, term_id) VALUES (?, ?, ?, 0, '')")) {
            insert.setBytes(1, bytes(resource.name()));
            insert.setBytes(2, bytes(role.name()));
            insert.setBytes(3, bytes(storeId.value()));
            insert.executeUpdate();
        }
    }

    /** @throws SQLException if this Signet cannot use tables of that version */
    static void requireVersion(long version) throws SQLException {
        if (version != VERSION) {
            throw new SQLException("the fence tables have version " + version + " and this Signet knows version "
                    + VERSION + "; use the Signet that made them, or a newer one");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(ResultSet row, int column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        if (bytes == null) {
            throw new SQLException("the fence row is damaged: it lacks a value");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
