package dev.signet.store.quorum.state;

import dev.signet.CandidateId;
import dev.signet.Role;
import dev.signet.store.Grant;
import dev.signet.store.HeldDigest;
import dev.signet.store.OpenSession;
import dev.signet.store.SessionId;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a session while it lives. Mutable, and known to its {@link Realm} only. What it holds and what is kept for it
 * follows from the role entries, and stands here so that its end need not look at every role.
 */
final class Session {

    private final OpenSession opening;
    private final NavigableSet<Role> enlisted = new TreeSet<>();
    private final NavigableMap<Role, Attempts> attempts = new TreeMap<>();
    private final NavigableMap<Role, Grant> holds = new TreeMap<>();
    private final NavigableSet<Role> keptFor = new TreeSet<>();
    private long openings;
    private long digest;

    Session(OpenSession opening, long openings) {
        this.opening = opening;
        this.openings = openings;
    }

    SessionId id() {
        return opening.session();
    }

    CandidateId candidate() {
        return opening.candidate();
    }

    OpenSession opening() {
        return opening;
    }

    long openings() {
        return openings;
    }

    void openedAgain() {
        openings++;
    }

    NavigableSet<Role> enlisted() {
        return enlisted;
    }

    NavigableSet<Role> keptFor() {
        return keptFor;
    }

    NavigableMap<Role, Attempts> attempts() {
        return attempts;
    }

    Attempts attemptsAt(Role role) {
        return attempts.getOrDefault(role, Attempts.NONE);
    }

    void answered(Role role, long attempt) {
        attempts.put(role, attemptsAt(role).answered(attempt));
    }

    void released(Role role, long attempt) {
        attempts.put(role, attemptsAt(role).released(attempt));
    }

    @Nullable
    Grant held(Role role) {
        return holds.get(role);
    }

    List<Grant> holds() {
        return List.copyOf(holds.values());
    }

    void gain(Grant grant) {
        lose(grant.role());
        holds.put(grant.role(), grant);
        digest += HeldDigest.of(grant.role(), grant.token());
    }

    void lose(Role role) {
        Grant former = holds.remove(role);
        if (former != null) {
            digest -= HeldDigest.of(role, former.token());
        }
    }

    /** {@link HeldDigest} of what it holds. */
    long digest() {
        return digest;
    }

    /**
     * What a session may not do again: its attempts at a role up to these numbers. Immutable.
     *
     * @param answered were granted or refused once
     * @param released were given back
     */
    record Attempts(long answered, long released) {

        static final Attempts NONE = new Attempts(0, 0);

        Attempts answered(long attempt) {
            return new Attempts(Math.max(answered, attempt), released);
        }

        Attempts released(long attempt) {
            return new Attempts(answered, Math.max(released, attempt));
        }
    }
}
