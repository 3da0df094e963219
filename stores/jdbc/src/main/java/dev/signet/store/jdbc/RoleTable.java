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
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

    private static final String IN_NAMES = "WHERE r.namespace = ? AND r.name IN ";

    private static final int LONGEST_LIST = 256;

    private static final List<String> KEYS = List.of("namespace", "name");

    private static final List<String> GRANT = List.of(
            "version",
            "token",
            "holder",
            "attempt",
            "term_high",
            "term_low",
            "candidate",
            "public_uri",
            "internal_uri",
            "kept_for",
            "kept_candidate",
            "kept_window_nanos",
            "kept_boot_id",
            "kept_until_nanos");

    private final String namespaceName;
    private final byte[] namespace;

    RoleTable(Namespace namespace) {
        this.namespaceName = namespace.name();
        this.namespace = bytes(namespace.name());
    }

    RoleRow find(Link link, Role role) throws SQLException {
        try (ResultSet rows = link.query(
                "SELECT " + COLUMNS + "WHERE r.namespace = ? AND r.name = ?", namespace, bytes(role.name()))) {
            return rows.next() ? row(rows) : RoleRow.absent(role);
        }
    }

    /** The records of many at once; those that have none as absent. */
    List<RoleRow> find(Link link, Collection<Role> roles) throws SQLException {
        Map<Role, RoleRow> found = new HashMap<>();
        roles.forEach(role -> found.put(role, RoleRow.absent(role)));
        List<Role> names = List.copyOf(found.keySet());
        for (int from = 0; from < names.size(); from += LONGEST_LIST) {
            List<Role> some = padded(names.subList(from, Math.min(names.size(), from + LONGEST_LIST)));
            ResultSet rows = link.query("SELECT " + COLUMNS + IN_NAMES + placeholders(some), namesOf(some));
            rows(rows).forEach(row -> found.put(row.role(), row));
        }
        return List.copyOf(found.values());
    }

    /** Nobody else changes the record until the transaction ends. */
    RoleRow lock(Link link, Role role) throws SQLException, RecordBusy {
        if (!link.lock("signet_role WHERE namespace = ? AND name = ?", namespace, bytes(role.name()))) {
            throw new RecordBusy("the record of " + role);
        }
        return find(link, role);
    }

    /**
     * Makes empty records where there are none, so that there is something to lock: an absent one cannot be. They are as good
     * as absent. What is there is not inserted again: on MariaDB even that waits for whoever has it locked.
     */
    void prepare(Link link, Collection<Role> roles) throws SQLException {
        Set<Role> absent = new TreeSet<>(roles);
        if (!absent.isEmpty()) {
            absent.removeAll(present(link, absent));
        }
        if (!absent.isEmpty()) {
            List<Role> names = padded(absent);
            link.insertForLocking(
                    link.dialect()
                            .insertIfAbsent("signet_role (namespace, name, version, token) VALUES "
                                    + String.join(", ", Collections.nCopies(names.size(), "(?, ?, 0, 0)"))),
                    names.stream()
                            .flatMap(role -> Stream.of(namespace, bytes(role.name())))
                            .toArray());
        }
    }

    private Set<Role> present(Link link, Set<Role> roles) throws SQLException {
        List<Role> names = padded(roles);
        Set<Role> found = new HashSet<>();
        try (ResultSet rows =
                link.query("SELECT r.name FROM signet_role r " + IN_NAMES + placeholders(names), namesOf(names))) {
            while (rows.next()) {
                found.add(new Role(text(rows.getBytes(1))));
            }
        }
        return found;
    }

    /** Repeats the first until there are few different lengths, so few different statements to keep prepared. */
    private static List<Role> padded(Collection<Role> roles) {
        List<Role> names = new ArrayList<>(roles);
        int length = Math.max(1, Integer.highestOneBit(2 * names.size() - 1));
        names.addAll(Collections.nCopies(length - names.size(), names.get(0)));
        return names;
    }

    private static String placeholders(List<Role> names) {
        return "(" + String.join(", ", Collections.nCopies(names.size(), "?")) + ")";
    }

    private Object[] namesOf(List<Role> roles) {
        return Stream.concat(Stream.of(namespace), roles.stream().map(role -> bytes(role.name())))
                .toArray();
    }

    List<RoleRow> all(Link link) throws SQLException {
        return rows(link.query("SELECT " + COLUMNS + "WHERE r.namespace = ? AND r.version > 0", (Object) namespace));
    }

    /** The versions of all records that have one above this. */
    Map<Role, Long> above(Link link, long version) throws SQLException {
        Map<Role, Long> found = new HashMap<>();
        // the index is by version alone; of other namespaces there is little
        try (ResultSet rows =
                link.query("SELECT namespace, name, version FROM signet_role WHERE version > ?", version)) {
            while (rows.next()) {
                if (Arrays.equals(rows.getBytes(1), namespace)) {
                    found.put(new Role(text(rows.getBytes(2))), rows.getLong(3));
                }
            }
        }
        return found;
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
                                "reservation", rows.getLong(2), rows.getLong(18), rows.getString(19), rows.getLong(20)),
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

    /**
     * Whoever held it or had it kept for himself has no more to do with it.
     *
     * @return the version that the record has now
     */
    long grant(Link link, Acquire request, SessionRow session, RoleRow before, long token) throws SQLException {
        long version = nextVersion(link, before);
        write(
                link,
                link.dialect().upsert("signet_role", KEYS, GRANT),
                namespace,
                bytes(request.role().name()),
                version,
                token,
                session.number(),
                request.attempt(),
                request.termId().high(),
                request.termId().low(),
                bytes(session.candidate().toString()),
                text(session.advertised().publicUri()),
                text(session.advertised().internalUri()),
                null,
                null,
                null,
                null,
                null);
        return version;
    }

    void free(Link link, RoleRow before) throws SQLException {
        write(
                link,
                "UPDATE signet_role SET version = ?, holder = NULL, attempt = NULL,"
                        + " term_high = NULL, term_low = NULL, candidate = NULL, public_uri = NULL,"
                        + " internal_uri = NULL WHERE namespace = ? AND name = ?",
                nextVersion(link, before),
                namespace,
                bytes(before.role().name()));
    }

    /** Only the version rises. */
    void touch(Link link, RoleRow before) throws SQLException {
        write(
                link,
                link.dialect().upsert("signet_role", KEYS, List.of("version", "token")),
                namespace,
                bytes(before.role().name()),
                nextVersion(link, before),
                before.token());
    }

    void keep(Link link, RoleRow before, SessionRow target, Lease window) throws SQLException {
        write(
                link,
                "UPDATE signet_role SET version = ?, kept_for = ?, kept_candidate = ?,"
                        + " kept_window_nanos = ?, kept_boot_id = ?, kept_until_nanos = ?"
                        + " WHERE namespace = ? AND name = ?",
                nextVersion(link, before),
                target.number(),
                bytes(target.candidate().toString()),
                window.spanNanos(),
                window.bootId(),
                window.endsAtNanos(),
                namespace,
                bytes(before.role().name()));
    }

    private void write(Link link, String sql, @Nullable Object... values) throws SQLException {
        link.update(sql, values);
        link.announce(namespaceName);
    }

    /** Above that of the record, whatever {@link Link#version()} says: a clock may have been set back. */
    private static long nextVersion(Link link, RoleRow before) throws SQLException {
        return Math.max(before.version(), link.version()) + 1;
    }
}
