package dev.signet.testkit;

import dev.signet.Role;
import dev.signet.store.Grant;
import dev.signet.store.HeldDigest;
import dev.signet.store.OpenSession;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the reference store keeps of a session while it lives. Mutable, and known to its {@link StoreModel} only. */
final class SessionRecord {

    private final OpenSession opening;
    private final Set<Role> enlisted = new HashSet<>();
    private final Map<Role, Grant> holds = new TreeMap<>();
    private final Map<Role, Long> releasedUpTo = new HashMap<>();
    private final Map<Role, Long> answeredUpTo = new HashMap<>();
    private long deadlineNanos;

    SessionRecord(OpenSession opening, long nowNanos) {
        this.opening = opening;
        renew(nowNanos);
    }

    private SessionRecord(SessionRecord other) {
        opening = other.opening;
        enlisted.addAll(other.enlisted);
        holds.putAll(other.holds);
        releasedUpTo.putAll(other.releasedUpTo);
        answeredUpTo.putAll(other.answeredUpTo);
        deadlineNanos = other.deadlineNanos;
    }

    SessionRecord copy() {
        return new SessionRecord(this);
    }

    OpenSession opening() {
        return opening;
    }

    void renew(long nowNanos) {
        deadlineNanos = nowNanos + opening.leaseDuration().toNanos();
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    Set<Role> enlisted() {
        return enlisted;
    }

    Map<Role, Grant> holds() {
        return holds;
    }

    void release(Role role, long attempt) {
        releasedUpTo.merge(role, attempt, Math::max);
    }

    long releasedUpTo(Role role) {
        return releasedUpTo.getOrDefault(role, 0L);
    }

    void answer(Role role, long attempt) {
        answeredUpTo.merge(role, attempt, Math::max);
    }

    long answeredUpTo(Role role) {
        return answeredUpTo.getOrDefault(role, 0L);
    }

    long digest() {
        return HeldDigest.of(holds.values().stream().collect(Collectors.toMap(Grant::role, Grant::token)));
    }
}
