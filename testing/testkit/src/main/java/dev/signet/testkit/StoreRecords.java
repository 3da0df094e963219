package dev.signet.testkit;

import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.store.SessionId;
import dev.signet.testkit.RoleRecord.Kept;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All that the reference store knows, and which roles have something new to tell. It decides nothing: that is {@link
 * StoreModel}. Mutable.
 */
final class StoreRecords {

    private final StoreId storeId;
    /** In the order in which they were opened. */
    private final Map<SessionId, SessionRecord> sessions = new LinkedHashMap<>();

    private final Set<SessionId> ended = new HashSet<>();
    private final Map<Role, RoleRecord> roles = new TreeMap<>();
    private final Map<Role, Kept> reservations = new TreeMap<>();
    private final Set<Role> changed = new TreeSet<>();

    StoreRecords(StoreId storeId) {
        this.storeId = storeId;
    }

    StoreRecords copy() {
        StoreRecords copy = new StoreRecords(storeId);
        sessions.forEach((id, session) -> copy.sessions.put(id, session.copy()));
        copy.ended.addAll(ended);
        copy.roles.putAll(roles);
        copy.reservations.putAll(reservations);
        copy.changed.addAll(changed);
        return copy;
    }

    /** Takes the place of {@code former}: whatever either knows of may look different now. */
    StoreRecords insteadOf(StoreRecords former) {
        changed.addAll(roles.keySet());
        changed.addAll(former.roles.keySet());
        changed.addAll(former.changed);
        return this;
    }

    StoreId storeId() {
        return storeId;
    }

    Collection<SessionRecord> sessions() {
        return sessions.values();
    }

    @Nullable
    SessionRecord session(SessionId id) {
        return sessions.get(id);
    }

    void add(SessionRecord session) {
        sessions.put(session.opening().session(), session);
    }

    boolean isEnded(SessionId id) {
        return ended.contains(id);
    }

    /** Ends a session for ever, whether or not it was known, and frees what it holds. */
    void end(SessionId id) {
        ended.add(id);
        SessionRecord session = sessions.remove(id);
        if (session != null) {
            changed.addAll(session.holds().keySet());
        }
    }

    Set<Role> roles() {
        return roles.keySet();
    }

    RoleRecord role(Role role) {
        RoleRecord record = roles.get(role);
        return record == null ? RoleRecord.absent(role) : record;
    }

    void write(RoleRecord record) {
        roles.put(record.role(), record);
        changed.add(record.role());
    }

    void forget(Role role) {
        roles.remove(role);
        reservations.remove(role);
        sessions.values().forEach(session -> session.holds().remove(role));
        changed.add(role);
    }

    Optional<Kept> reservation(Role role) {
        return Optional.ofNullable(reservations.get(role));
    }

    void keep(Role role, Kept kept) {
        reservations.put(role, kept);
    }

    void dropReservations(Predicate<Kept> over) {
        Set<Role> dropped = new TreeSet<>();
        reservations.forEach((role, kept) -> {
            if (over.test(kept)) {
                dropped.add(role);
            }
        });
        reservations.keySet().removeAll(dropped);
        changed.addAll(dropped);
    }

    void dropReservation(Role role) {
        reservations.remove(role);
    }

    Set<Role> takeChanged() {
        Set<Role> taken = new TreeSet<>(changed);
        changed.clear();
        return taken;
    }

    /** The earliest end of a lease or of a reservation's window. */
    OptionalLong nextDueNanos() {
        OptionalLong due = OptionalLong.empty();
        for (SessionRecord session : sessions.values()) {
            due = earlier(due, session.deadlineNanos());
        }
        for (Kept kept : reservations.values()) {
            due = earlier(due, kept.untilNanos());
        }
        return due;
    }

    private static OptionalLong earlier(OptionalLong due, long other) {
        return due.isEmpty() || other - due.getAsLong() < 0 ? OptionalLong.of(other) : due;
    }
}
