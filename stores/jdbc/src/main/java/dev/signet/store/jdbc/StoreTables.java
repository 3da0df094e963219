package dev.signet.store.jdbc;

import dev.signet.store.StoreRefusal.Kind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The tables of a store on a server, as the statements on them use them: what has to be there, and what their user has to be
 * allowed to do with it. Each right is tried by a statement that needs it and touches no row, since a right that is missed only
 * when a leader has died is missed too late.
 */
final class StoreTables {

    /**
     * @param columns that statements give values to
     * @param others that the server gives values to
     * @param rights beside SELECT, in the order of {@link #probe}
     */
    private record Table(String name, String columns, String others, List<String> rights) {

        String all() {
            return others.isEmpty() ? columns : others + ", " + columns;
        }

        String probe(String right) {
            String nowhere = " WHERE 1 = 0";
            String first = columns.replaceFirst(",.*", "");
            return switch (right) {
                case "SELECT" -> "SELECT " + all() + " FROM " + name + nowhere;
                case "INSERT" ->
                    "INSERT INTO " + name + " (" + columns + ") SELECT " + columns + " FROM " + name + nowhere;
                case "UPDATE" -> "UPDATE " + name + " SET " + first + " = " + first + nowhere;
                case "DELETE" -> "DELETE FROM " + name + nowhere;
                default -> throw new IllegalArgumentException(right + " is no right to a table");
            };
        }
    }

    private static final List<Table> TABLES = List.of(
            new Table("signet_store", "only_one, layout, store_id", "", List.of()),
            new Table(
                    "signet_session",
                    "namespace, id, candidate, public_uri, internal_uri, lease_nanos, boot_id, ends_at_nanos, renewals",
                    "number",
                    List.of("INSERT", "UPDATE", "DELETE")),
            new Table("signet_holding", "session, digest", "", List.of("INSERT", "UPDATE", "DELETE")),
            new Table("signet_ended_session", "namespace, id", "ordinal", List.of("INSERT", "DELETE")),
            new Table(
                    "signet_role",
                    "namespace, name, version, token, holder, attempt, term_high, term_low, candidate, public_uri,"
                            + " internal_uri, kept_for, kept_candidate, kept_window_nanos, kept_boot_id, kept_until_nanos",
                    "",
                    List.of("INSERT", "UPDATE")),
            new Table(
                    "signet_campaign",
                    "session, role, enlisted, answered, released",
                    "",
                    List.of("INSERT", "UPDATE", "DELETE")));

    private final Server server;

    StoreTables(Server server) {
        this.server = server;
    }

    /**
     * That all columns are there, and may be read.
     *
     * @throws dev.signet.StoreException if not, with what is missing
     */
    void requireWhole(Link link) throws SQLException {
        for (Table table : TABLES) {
            require(link, table, "SELECT");
        }
    }

    /**
     * That the user may do what this store does.
     *
     * @throws dev.signet.StoreException if not, with what to grant
     */
    void requireRights(Link link) throws SQLException {
        for (Table table : TABLES) {
            for (String right : table.rights()) {
                require(link, table, right);
            }
        }
    }

    private void require(Link link, Table table, String right) throws SQLException {
        try {
            link.execute(table.probe(right));
        } catch (SQLException e) {
            if (server.meaning(e).filter(ServerFault.NOT_PERMITTED::equals).isPresent()) {
                throw Server.refusal(
                        Kind.NOT_PERMITTED,
                        server + " does not let this user do that (" + Faults.text(e) + "); let its owner say: GRANT "
                                + right + " ON " + table.name() + " TO this user");
            }
            throw e;
        }
    }

    /** Whether anything was ever decided here: then nothing is half made, whatever is missing. */
    static boolean areInUse(Link link) throws SQLException {
        try (ResultSet rows = link.query("SELECT 1 FROM signet_role WHERE version > 0 LIMIT 1")) {
            return rows.next();
        }
    }
}
