package dev.signet.store.etcd;

import dev.signet.CandidateId;
import dev.signet.Role;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import io.etcd.jetcd.api.Compare;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A role as it was read for a session, and the guards that say whether it still is so. Whatever is decided on it is written under
 * these guards, so that a decision either holds when it takes effect or takes none. Immutable.
 *
 * @param mine the session that asks, while it lives
 * @param holderLease of the session that the record names, while it lives
 * @param targetLives whether the session for which the role is kept does
 */
record Reading(
        Role role,
        StoreEntry store,
        Versioned<RoleEntry> entry,
        Optional<Long> holderLease,
        Optional<Versioned<KeptEntry>> kept,
        boolean targetLives,
        SessionId session,
        Optional<SessionEntry> mine,
        Versioned<AttemptsEntry> attempts) {

    /** @param revision at which it was written, 0 where there was nothing */
    record Versioned<T>(T value, long revision) {}

    boolean isClaimable() {
        return entry.value().holding().isEmpty() || holderLease.isEmpty();
    }

    /** Whom the record names. */
    Optional<SessionId> holder() {
        return entry.value().holding().map(RoleEntry.Holding::session);
    }

    boolean isMine() {
        return entry.value().heldBy(session).isPresent();
    }

    private Optional<KeptEntry> keptNow() {
        return kept.filter(found -> targetLives).map(Versioned::value);
    }

    boolean isKeptFrom(CandidateId candidate) {
        return keptNow().filter(found -> !found.target().equals(candidate)).isPresent();
    }

    RoleView view() {
        return view(entry.value());
    }

    /** The same, for whoever wants to know how long. */
    Remaining.Timed timed() {
        return new Remaining.Timed(view(), holderLease, keptNow().map(KeptEntry::lease));
    }

    /** With a record that was written on it. */
    RoleView viewWith(RoleEntry next) {
        return view(next);
    }

    private RoleView view(RoleEntry seen) {
        return Views.of(role, seen, seen.holding().isEmpty() || holderLease.isEmpty(), keptNow());
    }

    /** That nothing which this session did at the role, or which was done to it, has happened since. */
    List<Compare> guards(Keys keys) {
        List<Compare> guards = new ArrayList<>();
        guards.add(mine.isPresent() ? Ops.exists(keys.session(session)) : Ops.isAbsent(keys.session(session)));
        guards.add(Ops.isUnchangedSince(keys.role(role), entry.revision()));
        guards.add(Ops.isUnchangedSince(keys.attempts(session, role), attempts.revision()));
        return guards;
    }

    /** Further, that whoever it was granted to, or is kept for, is still gone, and that the store is the same. */
    List<Compare> guardsOfAGrant(Keys keys, SessionEntry session) {
        List<Compare> guards = guards(keys);
        guards.add(Ops.isUnchangedSince(keys.store(), store.revision()));
        guards.add(Ops.isUnchangedSince(
                keys.kept(role), kept.map(Versioned::revision).orElse(0L)));
        entry.value()
                .holding()
                .filter(held -> !held.session().equals(this.session))
                .ifPresent(held -> guards.add(Ops.isAbsent(keys.session(held.session()))));
        kept.map(Versioned::value)
                .filter(found -> !found.target().equals(session.candidate()))
                .ifPresent(found -> guards.add(Ops.isAbsent(keys.session(found.session()))));
        return guards;
    }

    /** What anyone may see of it. */
    static final class Views {

        private Views() {}

        /** The time that is left is etcd's to know: of a window told is the most that it can be, see {@link Remaining}. */
        static RoleView of(Role role, RoleEntry entry, boolean claimable, Optional<KeptEntry> kept) {
            return new RoleView(
                    role,
                    entry.version(),
                    entry.lastToken(),
                    entry.holder(),
                    claimable,
                    Optional.<Duration>empty(),
                    kept.map(found -> new RoleView.Reservation(found.target(), found.window())));
        }
    }
}
