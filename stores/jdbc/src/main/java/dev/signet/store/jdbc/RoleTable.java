package dev.signet.store.jdbc;

import static dev.signet.store.jdbc.SessionTable.bytes;
import static dev.signet.store.jdbc.SessionTable.text;

import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The roles of one namespace. Each write gives a record the next version of the whole file. */
final class RoleTable {

    private static final String COLUMNS =
            "r.name, r.version, r.token, r.holder, r.attempt, r.term_high, r.term_low, r.candidate, r.public_uri,"
                    + " r.internal_uri, s.number, s.renewals, s.lease_nanos, s.boot_id, s.ends_at_nanos,"
                    + " r.kept_for, r.kept_candidate, r.kept_window_nanos, r.kept_boot_id, r.kept_until_nanos,"
                    + " t.number, t.renewals, t.lease_nanos, t.boot_id, t.ends_at_nanos"
                    + " FROM signet_role r"
                    + " LEFT JOIN signet_session s ON s.number = r.holder"
                    + " LEFT JOIN signet_session t ON t.number = r.kept_for ";

    private static final String NEXT_VERSION = "(SELECT coalesce(max(version), 0) + 1 FROM signet_role)";

    private final byte[] namespace;

    RoleTable(Namespace namespace) {
        this.namespace = bytes(namespace.name());
    }

    RoleRow find(Link link, Role role) throws SQLException {
        try (ResultSet rows = link.query(
                "SELECT " + COLUMNS + "WHERE r.namespace = ? AND r.name = ?", namespace, bytes(role.name()))) {
            return rows.next() ? row(rows) : RoleRow.absent(role);
        }
    }

    List<RoleRow> all(Link link) throws SQLException {
        return rows(link.query("SELECT " + COLUMNS + "WHERE r.namespace = ?", (Object) namespace));
    }

    long highestVersion(Link link) throws SQLException {
        return link.number("SELECT coalesce(max(version), 0) FROM signet_role");
    }

    List<RoleRow> above(Link link, long version) throws SQLException {
        return rows(link.query(
                "SELECT " + COLUMNS + "WHERE r.version > ? AND r.namespace = ? ORDER BY r.version",
                version,
                namespace));
    }

    List<RoleRow> heldBy(Link link, SessionRow session) throws SQLException {
        return rows(link.query("SELECT " + COLUMNS + "WHERE r.holder = ?", session.number()));
    }

    private static List<RoleRow> rows(ResultSet rows) throws SQLException {
        try (rows) {
            List<RoleRow> found = new ArrayList<>();
            while (rows.next()) {
                found.add(row(rows));
            }
            return found;
        }
    }

    private static RoleRow row(ResultSet rows) throws SQLException {
        return new RoleRow(new Role(text(rows.getBytes(1))), rows.getLong(2), rows.getLong(3), held(rows), kept(rows));
    }

    private static Optional<RoleRow.Held> held(ResultSet rows) throws SQLException {
        long number = rows.getLong(4);
        return rows.wasNull()
                ? Optional.empty()
                : Optional.of(new RoleRow.Held(
                        number,
                        rows.getLong(5),
                        new TermId(rows.getLong(6), rows.getLong(7)),
                        CandidateId.parse(text(rows.getBytes(8))),
                        SessionTable.advertised(rows.getString(9), rows.getString(10)),
                        lease(rows, 11)));
    }

    private static Optional<RoleRow.Kept> kept(ResultSet rows) throws SQLException {
        long number = rows.getLong(16);
        return rows.wasNull()
                ? Optional.empty()
                : Optional.of(new RoleRow.Kept(
                        number,
                        CandidateId.parse(text(rows.getBytes(17))),
                        new Lease(
                                "reservation " + rows.getLong(2),
                                rows.getLong(18),
                                rows.getString(19),
                                rows.getLong(20)),
                        lease(rows, 21)));
    }

    private static Optional<Lease> lease(ResultSet rows, int first) throws SQLException {
        long number = rows.getLong(first);
        return rows.wasNull()
                ? Optional.empty()
                : Optional.of(SessionTable.lease(
                        number,
                        rows.getLong(first + 1),
                        rows.getLong(first + 2),
                        rows.getString(first + 3),
                        rows.getLong(first + 4)));
    }

    /** Whoever held it or had it kept for himself has no more to do with it. */
    void grant(Link link, Acquire request, SessionRow session, long token) throws SQLException {
        link.update(
                "INSERT INTO signet_role (namespace, name, version, token, holder, attempt, term_high, term_low,"
                        + " candidate, public_uri, internal_uri) VALUES (?, ?, " + NEXT_VERSION
                        + ", ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (namespace, name) DO UPDATE SET"
                        + " version = excluded.version, token = excluded.token, holder = excluded.holder,"
                        + " attempt = excluded.attempt, term_high = excluded.term_high, term_low = excluded.term_low,"
                        + " candidate = excluded.candidate, public_uri = excluded.public_uri,"
                        + " internal_uri = excluded.internal_uri, kept_for = NULL, kept_candidate = NULL,"
                        + " kept_window_nanos = NULL, kept_boot_id = NULL, kept_until_nanos = NULL",
                namespace,
                bytes(request.role().name()),
                token,
                session.number(),
                request.attempt(),
                request.termId().high(),
                request.termId().low(),
                bytes(session.candidate().toString()),
                text(session.advertised().publicUri()),
                text(session.advertised().internalUri()));
    }

    void free(Link link, Role role) throws SQLException {
        link.update(
                "UPDATE signet_role SET version = " + NEXT_VERSION + ", holder = NULL, attempt = NULL,"
                        + " term_high = NULL, term_low = NULL, candidate = NULL, public_uri = NULL,"
                        + " internal_uri = NULL WHERE namespace = ? AND name = ?",
                namespace,
                bytes(role.name()));
    }

    /** Only the version rises. */
    void touch(Link link, Role role) throws SQLException {
        link.update(
                "INSERT INTO signet_role (namespace, name, version, token) VALUES (?, ?, " + NEXT_VERSION
                        + ", 0) ON CONFLICT (namespace, name) DO UPDATE SET version = excluded.version",
                namespace,
                bytes(role.name()));
    }

    void keep(Link link, Role role, SessionRow target, Lease window) throws SQLException {
        link.update(
                "UPDATE signet_role SET version = " + NEXT_VERSION + ", kept_for = ?, kept_candidate = ?,"
                        + " kept_window_nanos = ?, kept_boot_id = ?, kept_until_nanos = ?"
                        + " WHERE namespace = ? AND name = ?",
                target.number(),
                bytes(target.candidate().toString()),
                window.spanNanos(),
                window.bootId(),
                window.endsAtNanos(),
                namespace,
                bytes(role.name()));
    }
}
