package dev.signet.fence.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.StoreId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

/** The tables and functions of the fence on PostgreSQL, as {@code postgresql.sql} has them, and their version. */
final class PostgresSchema {

    static final int VERSION = 1;

    private PostgresSchema() {}

    /** The script, with the place of the schema still open. */
    static String script() {
        try (InputStream script = PostgresSchema.class.getResourceAsStream("postgresql.sql")) {
            return new String(Objects.requireNonNull(script, "postgresql.sql").readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Inside a transaction. Two at once take turns. */
    static void init(Connection connection, String script, ResourceName resource, Role role, StoreId storeId)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(1397311311, 0)");
            String layout = text(statement, "SELECT to_regclass('signet_fence_layout')::text");
            if (layout.isEmpty()) {
                String schema = text(statement, "SELECT quote_ident(current_schema())");
                if (schema.isEmpty()) {
                    throw new SQLException("no schema of the search path exists; name one that does");
                }
                statement.execute(script.replace("@schema@", schema));
            } else {
                int version = Integer.parseInt(text(statement, "SELECT version FROM signet_fence_layout"));
                if (version != VERSION) {
                    throw new SQLException(
                            "the fence tables have version " + version + " and this Signet knows version " + VERSION
                                    + "; use the Signet that made them, or a newer one");
                }
            }
        }
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO signet_fence VALUES (?, ?, ?, 0, '', '') ON CONFLICT DO NOTHING")) {
            insert.setString(1, resource.name());
            insert.setString(2, role.name());
            insert.setString(3, storeId.value());
            if (insert.executeUpdate() > 0) {
                log(connection, "init", resource, "for role " + role + " of store " + storeId);
            }
        }
    }

    /** Inside a transaction. */
    static void reset(Connection connection, ResourceName resource, Role role, StoreId storeId, String reason)
            throws SQLException {
        Postgres.execute(connection, "SELECT pg_advisory_xact_lock(1397311310, hashtext(?))", resource.name());
        String before = Postgres.text(
                connection,
                "SELECT 'was role ' || role || ' of store ' || store_id || ', token ' || max_token || ', term '"
                        + " || coalesce(signet_digest(term_id), '-') FROM signet_fence WHERE resource = ? FOR UPDATE",
                resource.name());
        if (before.isEmpty()) {
            throw new SQLException("resource '" + resource + "' has no fence row here; run: signet fence init");
        }
        Postgres.execute(
                connection,
                "UPDATE signet_fence SET role = ?, store_id = ?, max_token = 0, term_id = '', place = ''"
                        + " WHERE resource = ?",
                role.name(),
                storeId.value(),
                resource.name());
        log(connection, "reset", resource, "to role " + role + " of store " + storeId + "; " + before + "; " + reason);
    }

    /** For whoever asks later who changed what is protected; in the transaction that changes it. */
    static void log(Connection connection, String act, ResourceName resource, String detail) throws SQLException {
        Postgres.execute(
                connection,
                "INSERT INTO signet_fence_log (act, resource, detail) VALUES (?, ?, ?)",
                act,
                resource.name(),
                detail);
    }

    private static String text(Statement statement, String query) throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            return row.next() ? Objects.requireNonNullElse(row.getString(1), "") : "";
        }
    }
}
