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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The sessions of one namespace, and what they campaign for. Names are stored as bytes, which meet only when equal. */
final class SessionTable {

    private static final long ENDED_KEPT = 10_000;

    private static final String COLUMNS =
            "s.number, s.candidate, s.public_uri, s.internal_uri, s.lease_nanos, s.boot_id,"
                    + " s.ends_at_nanos, s.renewals";

    private static final List<String> CAMPAIGN = List.of("session", "role");

    private final String namespaceName;
    private final byte[] namespace;

    SessionTable(Namespace namespace) {
        this.namespaceName = namespace.name();
        this.namespace = bytes(namespace.name());
    }

    static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] name) {
        return new String(name, StandardCharsets.UTF_8);
    }

    Optional<SessionRow> find(Link link, SessionId id) throws SQLException {
        try (ResultSet rows = link.query(
                "SELECT " + COLUMNS + " FROM signet_session s WHERE s.namespace = ? AND s.id = ?",
                namespace,
                bytes(id.value()))) {
            return rows.next() ? Optional.of(row(rows)) : Optional.empty();
        }
    }

    Map<Long, Lease> leases(Link link) throws SQLException {
        Map<Long, Lease> found = new HashMap<>();
        try (ResultSet rows =
                link.query("SELECT " + COLUMNS + " FROM signet_session s WHERE s.namespace = ?", (Object) namespace)) {
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
                lease(number, renewals, rows.getLong(5), rows.getString(6), rows.getLong(7)));
    }

    static Lease lease(long number, long renewals, long spanNanos, String bootId, long endsAtNanos) {
        return new Lease("session " + number, renewals, spanNanos, bootId, endsAtNanos);
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
        Lease lease = now.begin(request.leaseDuration().toNanos());
        link.update(
                "INSERT INTO signet_session (namespace, id, candidate, public_uri, internal_uri, lease_nanos, boot_id,"
                        + " ends_at_nanos, renewals) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)",
                namespace,
                bytes(request.session().value()),
                bytes(request.candidate().toString()),
                text(request.advertised().publicUri()),
                text(request.advertised().internalUri()),
                lease.spanNanos(),
                lease.bootId(),
                lease.endsAtNanos());
        link.update(
                "INSERT INTO signet_holding (session, digest)"
                        + " SELECT number, 0 FROM signet_session WHERE namespace = ? AND id = ?",
                namespace,
                bytes(request.session().value()));
        // where somebody has emptied this table, its numbers begin anew, and there may be roles that name this one
        link.update(
                "UPDATE signet_role SET holder = NULL"
                        + " WHERE holder = (SELECT number FROM signet_session WHERE namespace = ? AND id = ?)",
                namespace,
                bytes(request.session().value()));
    }

    /**
     * A full lease from now, on the clock of whoever renews.
     *
     * @return false if the session has ended meanwhile
     */
    boolean renew(Link link, SessionRow session, Leases.Moment now) throws SQLException {
        Lease lease = now.begin(session.lease().spanNanos());
        return link.update(
                        "UPDATE signet_session SET boot_id = ?, ends_at_nanos = ?, renewals = renewals + 1 WHERE number = ?",
                        lease.bootId(),
                        lease.endsAtNanos(),
                        session.number())
                > 0;
    }

    /** The digest of what a session holds. It lies beside the session's record, so that a renewal never waits for a grant. */
    long held(Link link, SessionRow session) throws SQLException {
        return link.anyNumber("SELECT digest FROM signet_holding WHERE session = ?", session.number())
                .orElse(0);
    }

    /** The same; nobody else changes it until the transaction ends. */
    long lockHeld(Link link, SessionRow session) throws SQLException, RecordBusy {
        OptionalLong held = link.lockNumber("digest", "signet_holding WHERE session = ?", session.number());
        if (held.isEmpty()) {
            makeHeld(link, session);
            throw new RecordBusy("what session " + session.number() + " holds");
        }
        return held.getAsLong();
    }

    /** Where somebody has emptied the table, no session could take or leave a role; a digest that is wrong costs it reads. */
    private void makeHeld(Link link, SessionRow session) throws SQLException {
        if (link.anyNumber("SELECT digest FROM signet_holding WHERE session = ?", session.number())
                .isEmpty()) {
            link.update(
                    link.dialect().insertIfAbsent("signet_holding (session, digest) VALUES (?, 0)"), session.number());
        }
    }

    void noteHeld(Link link, SessionRow session, long digest) throws SQLException {
        link.update("UPDATE signet_holding SET digest = ? WHERE session = ?", digest, session.number());
    }

    /**
     * Ends the session whose lease was found to have ended: from here on its renewals find nothing, and its roles are held by
     * nobody. That is what a takeover rests on.
     *
     * @throws RecordBusy if it was renewed or ended since the lease was read, or somebody is about to
     */
    void endExpired(Link link, long number, Lease found) throws SQLException, RecordBusy {
        lock(link, number);
        long same = link.number(
                "SELECT count(*) FROM signet_session WHERE number = ? AND renewals = ?", number, found.renewals());
        if (same == 0) {
            throw new RecordBusy(found.of());
        }
        remove(link, number);
    }

    /** Ends the session, in whatever state it is. */
    void end(Link link, long number) throws SQLException, RecordBusy {
        lock(link, number);
        remove(link, number);
    }

    /** Whoever ends a session locks it first: so nobody waits for another who ends it too. */
    private static void lock(Link link, long number) throws SQLException, RecordBusy {
        if (!link.lock("signet_session WHERE number = ?", number)) {
            throw new RecordBusy("session " + number);
        }
    }

    private void remove(Link link, long number) throws SQLException {
        link.update(
                link.dialect()
                        .insertIfAbsent("signet_ended_session (namespace, id) SELECT namespace, id FROM signet_session"
                                + " WHERE number = ?"),
                number);
        link.update("DELETE FROM signet_session WHERE number = ?", number);
        link.announce(namespaceName);
    }

    /** A session that is closed before it was opened never opens. */
    void neverOpen(Link link, SessionId id) throws SQLException {
        link.update(
                link.dialect().insertIfAbsent("signet_ended_session (namespace, id) VALUES (?, ?)"),
                namespace,
                bytes(id.value()));
    }

    /**
     * What the ended sessions have left. A number never comes back; so one that is named, and then found to have no session,
     * has ended for good.
     */
    void sweep(Link link) throws SQLException {
        Set<Long> named = new HashSet<>();
        for (String table : List.of("signet_campaign", "signet_holding")) {
            named.addAll(numbers(link, "SELECT DISTINCT session FROM " + table));
        }
        named.removeAll(numbers(link, "SELECT number FROM signet_session"));
        for (long ended : named) {
            link.update("DELETE FROM signet_campaign WHERE session = ?", ended);
            link.update("DELETE FROM signet_holding WHERE session = ?", ended);
        }
        long newest = link.number("SELECT coalesce(max(ordinal), 0) FROM signet_ended_session");
        link.update("DELETE FROM signet_ended_session WHERE ordinal <= ?", newest - ENDED_KEPT);
    }

    private static List<Long> numbers(Link link, String query) throws SQLException {
        try (ResultSet rows = link.query(query)) {
            List<Long> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getLong(1));
            }
            return found;
        }
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
                link.dialect().upsert("signet_campaign", CAMPAIGN, List.of("enlisted")),
                session.number(),
                bytes(role.name()),
                enlisted ? 1 : 0);
    }

    /** The newest live session of the candidate that campaigns for the role; older ones it has lost. */
    Optional<SessionRow> campaigning(Link link, CandidateId candidate, Role role, Leases.Moment now)
            throws SQLException {
        try (ResultSet rows = link.query(
                "SELECT " + COLUMNS + " FROM signet_session s JOIN signet_campaign c ON c.session = s.number"
                        + " WHERE s.namespace = ? AND s.candidate = ? AND c.role = ? AND c.enlisted = 1"
                        + " ORDER BY s.number DESC",
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

    /** Of all candidates, as {@link #campaigning} finds it of one. */
    Set<CandidateId> campaigning(Link link, Role role, Leases.Moment now) throws SQLException {
        Set<CandidateId> found = new LinkedHashSet<>();
        try (ResultSet rows = link.query(
                "SELECT " + COLUMNS + " FROM signet_session s JOIN signet_campaign c ON c.session = s.number"
                        + " WHERE s.namespace = ? AND c.role = ? AND c.enlisted = 1",
                namespace,
                bytes(role.name()))) {
            while (rows.next()) {
                SessionRow row = row(rows);
                if (!now.hasEnded(row.lease())) {
                    found.add(row.candidate());
                }
            }
        }
        return found;
    }

    /** A session, and how far its attempts for a role have come. */
    record Campaigner(SessionRow session, Attempts attempts) {}

    Optional<Campaigner> find(Link link, SessionId id, Role role) throws SQLException {
        try (ResultSet rows = link.query(
                "SELECT " + COLUMNS + ", coalesce(c.answered, 0), coalesce(c.released, 0) FROM signet_session s"
                        + " LEFT JOIN signet_campaign c ON c.session = s.number AND c.role = ?"
                        + " WHERE s.namespace = ? AND s.id = ?",
                bytes(role.name()),
                namespace,
                bytes(id.value()))) {
            return rows.next()
                    ? Optional.of(new Campaigner(row(rows), new Attempts(rows.getLong(9), rows.getLong(10))))
                    : Optional.empty();
        }
    }

    /**
     * @param answered up to this one they were granted or refused
     * @param released up to this one they were released
     */
    record Attempts(long answered, long released) {}

    void markAnswered(Link link, SessionRow session, Role role, Attempts before, long attempt) throws SQLException {
        mark(link, "answered", session, role, Math.max(before.answered(), attempt));
    }

    void markReleased(Link link, SessionRow session, Role role, Attempts before, long attempt) throws SQLException {
        mark(link, "released", session, role, Math.max(before.released(), attempt));
    }

    private static void mark(Link link, String column, SessionRow session, Role role, long attempt)
            throws SQLException {
        link.update(
                link.dialect().upsert("signet_campaign", CAMPAIGN, List.of(column)),
                session.number(),
                bytes(role.name()),
                attempt);
    }
}
