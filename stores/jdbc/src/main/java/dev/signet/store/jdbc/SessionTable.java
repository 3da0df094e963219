package dev.signet.store.jdbc;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.store.OpenSession;
import dev.signet.store.SessionId;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The sessions of one namespace, and what they campaign for. Names are stored as bytes, which meet only when equal. */
final class SessionTable {

    private static final long ENDED_KEPT = 10_000;

    private static final String COLUMNS = "number, candidate, public_uri, internal_uri, lease_nanos, boot_id,"
            + " ends_at_nanos, renewals, held_digest FROM signet_session ";

    private final byte[] namespace;

    SessionTable(Namespace namespace) {
        this.namespace = bytes(namespace.name());
    }

    static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] name) {
        return new String(name, StandardCharsets.UTF_8);
    }

    Optional<SessionRow> find(Link link, SessionId id) throws SQLException {
        try (ResultSet rows =
                link.query("SELECT " + COLUMNS + "WHERE namespace = ? AND id = ?", namespace, bytes(id.value()))) {
            return rows.next() ? Optional.of(row(rows)) : Optional.empty();
        }
    }

    Map<Long, Lease> leases(Link link) throws SQLException {
        Map<Long, Lease> found = new HashMap<>();
        try (ResultSet rows = link.query("SELECT " + COLUMNS + "WHERE namespace = ?", (Object) namespace)) {
            while (rows.next()) {
                SessionRow row = row(rows);
                found.put(row.number(), row.lease());
            }
        }
        return found;
    }

    private static SessionRow row(ResultSet rows) throws SQLException {
        long number = rows.getLong(1);
        long renewals = rows.getLong(8);
        return new SessionRow(
                number,
                CandidateId.parse(text(rows.getBytes(2))),
                advertised(rows.getString(3), rows.getString(4)),
                lease(number, renewals, rows.getLong(5), rows.getString(6), rows.getLong(7)),
                renewals,
                rows.getLong(9));
    }

    static Lease lease(long number, long renewals, long spanNanos, String bootId, long endsAtNanos) {
        return new Lease(stamp(number, renewals), spanNanos, bootId, endsAtNanos);
    }

    private static String stamp(long number, long renewals) {
        return "session " + number + " renewal " + renewals;
    }

    static Advertised advertised(@Nullable String publicUri, @Nullable String internalUri) {
        return new Advertised(
                Optional.ofNullable(publicUri).map(URI::create),
                Optional.ofNullable(internalUri).map(URI::create));
    }

    static @Nullable String text(Optional<URI> uri) {
        return uri.map(URI::toString).orElse(null);
    }

    void insert(Link link, OpenSession request, Leases.Moment now) throws SQLException {
        Lease lease = now.begin("", request.leaseDuration().toNanos());
        link.update(
                "INSERT INTO signet_session (namespace, id, candidate, public_uri, internal_uri, lease_nanos, boot_id,"
                        + " ends_at_nanos, renewals, held_digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0)",
                namespace,
                bytes(request.session().value()),
                bytes(request.candidate().toString()),
                text(request.advertised().publicUri()),
                text(request.advertised().internalUri()),
                lease.spanNanos(),
                lease.bootId(),
                lease.endsAtNanos());
    }

    /** A full lease from now, on the clock of whoever renews. */
    void renew(Link link, SessionRow session, Leases.Moment now) throws SQLException {
        Lease lease = now.begin("", session.lease().spanNanos());
        link.update(
                "UPDATE signet_session SET boot_id = ?, ends_at_nanos = ?, renewals = renewals + 1 WHERE number = ?",
                lease.bootId(),
                lease.endsAtNanos(),
                session.number());
    }

    void setHeldDigest(Link link, long number, long digest) throws SQLException {
        link.update("UPDATE signet_session SET held_digest = ? WHERE number = ?", digest, number);
    }

    /** Ends the session: from here on its renewals find nothing, and its roles are held by nobody. */
    void end(Link link, long number) throws SQLException {
        link.update(
                "INSERT INTO signet_ended_session (namespace, id) SELECT namespace, id FROM signet_session"
                        + " WHERE number = ? ON CONFLICT DO NOTHING",
                number);
        link.update("DELETE FROM signet_session WHERE number = ?", number);
        link.update("DELETE FROM signet_campaign WHERE session = ?", number);
        forgetTheLongEnded(link);
    }

    /** A session that is closed before it was opened never opens. */
    void neverOpen(Link link, SessionId id) throws SQLException {
        link.update(
                "INSERT INTO signet_ended_session (namespace, id) VALUES (?, ?) ON CONFLICT DO NOTHING",
                namespace,
                bytes(id.value()));
        forgetTheLongEnded(link);
    }

    private static void forgetTheLongEnded(Link link) throws SQLException {
        link.update(
                "DELETE FROM signet_ended_session WHERE ordinal <="
                        + " (SELECT max(ordinal) FROM signet_ended_session) - ?",
                ENDED_KEPT);
    }

    /** Whether a session of this id has ended, among the last thousands: a copy of its opening that comes later is very late. */
    boolean isEnded(Link link, SessionId id) throws SQLException {
        return link.number(
                        "SELECT count(*) FROM signet_ended_session WHERE namespace = ? AND id = ?",
                        namespace,
                        bytes(id.value()))
                > 0;
    }

    void enlist(Link link, SessionRow session, Role role, boolean enlisted) throws SQLException {
        link.update(
                "INSERT INTO signet_campaign (session, role, enlisted) VALUES (?, ?, ?)"
                        + " ON CONFLICT DO UPDATE SET enlisted = excluded.enlisted",
                session.number(),
                bytes(role.name()),
                enlisted ? 1 : 0);
    }

    /** The newest live session of the candidate that campaigns for the role; older ones it has lost. */
    Optional<SessionRow> campaigning(Link link, CandidateId candidate, Role role, Leases.Moment now)
            throws SQLException {
        try (ResultSet rows = link.query(
                "SELECT " + COLUMNS + "JOIN signet_campaign ON session = number"
                        + " WHERE namespace = ? AND candidate = ? AND role = ? AND enlisted = 1 ORDER BY number DESC",
                namespace,
                bytes(candidate.toString()),
                bytes(role.name()))) {
            while (rows.next()) {
                SessionRow row = row(rows);
                if (!now.hasEnded(row.lease())) {
                    return Optional.of(row);
                }
            }
            return Optional.empty();
        }
    }

    /** How far the attempts of a session for a role have come. */
    Attempts attempts(Link link, SessionRow session, Role role) throws SQLException {
        try (ResultSet rows = link.query(
                "SELECT answered, released FROM signet_campaign WHERE session = ? AND role = ?",
                session.number(),
                bytes(role.name()))) {
            return rows.next() ? new Attempts(rows.getLong(1), rows.getLong(2)) : new Attempts(0, 0);
        }
    }

    /**
     * @param answered up to this one they were granted or refused
     * @param released up to this one they were released
     */
    record Attempts(long answered, long released) {}

    void markAnswered(Link link, SessionRow session, Role role, long attempt) throws SQLException {
        mark(link, "answered", session, role, attempt);
    }

    void markReleased(Link link, SessionRow session, Role role, long attempt) throws SQLException {
        mark(link, "released", session, role, attempt);
    }

    private static void mark(Link link, String column, SessionRow session, Role role, long attempt)
            throws SQLException {
        link.update(
                "INSERT INTO signet_campaign (session, role, " + column
                        + ") VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET " + column + " = max(" + column + ", excluded."
                        + column + ")",
                session.number(),
                bytes(role.name()),
                attempt);
    }
}
