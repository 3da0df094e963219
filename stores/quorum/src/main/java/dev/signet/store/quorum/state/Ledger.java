package dev.signet.store.quorum.state;

import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import dev.signet.store.quorum.state.RoleEntry.Holding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state that the voters of a quorum replicate: every role's record, every session that has not ended, of each namespace.
 * The same commands in the same order give the same replies and the same {@linkplain #snapshot snapshot}, byte by byte, on every
 * voter: there is no clock, chance, thread or unstable order in it.
 *
 * <p><b>Time.</b> A session lives here until its end is recorded, by {@link Command.Close} or {@link Command.Expire}; a
 * reservation stands until its target takes the role or its session ends, or {@link Command.Lapse}. The Raft leader has the
 * clock, and asks for these. So a role is claimable here when its record names no holder or one whose session has ended, {@code
 * claimableIn} is never said, and what remains of a reservation is its whole window: the leader may say more. An acquire
 * against a holder whose lease is over is refused until that end was recorded, which the leader therefore asks for first.
 *
 * <p><b>What is forgotten.</b> Of sessions that have ended only the ids are kept, {@value Limits#MOST_ENDED} per namespace, so
 * that a copy of an opening that arrives late does not bring one back. Beyond that the one that ended first is forgotten: opened
 * by a copy, it would hold nothing, and expire. What a session may not attempt again dies with it. Roles are never forgotten.
 *
 * <p>Not thread-safe, reading included.
 */
public final class Ledger {

    private final NavigableMap<Namespace, Realm> realms = new TreeMap<>(Comparator.comparing(Namespace::name));
    private final NavigableSet<Changed> changed = new TreeSet<>();
    private @Nullable StoreId storeId;

    /** One that nothing was told yet. */
    public Ledger() {}

    // Changes

    /**
     * Takes an entry of the log. What cannot be read is answered {@link Reply.Unsupported} and changes nothing. Never throws.
     *
     * @param raftTerm of the entry itself
     */
    public Reply apply(byte[] command, long raftTerm) {
        try {
            return apply(Codec.command(command), raftTerm);
        } catch (Unreadable unreadable) {
            return new Reply.Unsupported(String.valueOf(unreadable.getMessage()));
        }
    }

    /**
     * Takes a command. Never throws.
     *
     * @param raftTerm of the entry of the log that holds it
     */
    public Reply apply(Command command, long raftTerm) {
        return command.match(new Applying(raftTerm));
    }

    private final class Applying implements Command.Cases<Reply> {

        private final long raftTerm;

        Applying(long raftTerm) {
            this.raftTerm = raftTerm;
        }

        @Override
        public Reply found(Command.Found command) {
            StoreId id = storeId == null ? command.storeId() : storeId;
            storeId = id;
            return new Reply.Founded(id);
        }

        @Override
        public Reply open(Command.Open command) {
            return storeId == null
                    ? new Reply.Refused(new StoreRefusal(
                            StoreRefusal.Kind.NOT_INITIALISED, "the quorum has not given itself a store id yet"))
                    : realm(command.namespace()).open(command.request(), storeId);
        }

        @Override
        public Reply close(Command.Close command) {
            return realm(command.namespace()).close(command.session());
        }

        @Override
        public Reply enlist(Command.Enlist command) {
            return realm(command.namespace()).enlist(command.session(), command.role());
        }

        @Override
        public Reply withdraw(Command.Withdraw command) {
            return realm(command.namespace()).withdraw(command.session(), command.role());
        }

        @Override
        public Reply take(Command.Take command) {
            return realm(command.namespace()).take(command.request(), storeId);
        }

        @Override
        public Reply free(Command.Free command) {
            return realm(command.namespace()).free(command.request());
        }

        @Override
        public Reply keep(Command.Keep command) {
            return realm(command.namespace()).keep(command.request());
        }

        @Override
        public Reply expire(Command.Expire command) {
            return command.raftTerm() == raftTerm
                    ? realm(command.namespace()).expire(command.session(), command.openings())
                    : new Reply.Ignored();
        }

        @Override
        public Reply lapse(Command.Lapse command) {
            return command.raftTerm() == raftTerm
                    ? realm(command.namespace()).lapse(command.role(), command.reservation())
                    : new Reply.Ignored();
        }

        @Override
        public Reply batch(Command.Batch command) {
            return new Reply.Batched(
                    command.commands().stream().map(one -> one.match(this)).toList());
        }
    }

    // Questions

    /** Empty before the first {@link Command.Found}. */
    public Optional<StoreId> storeId() {
        return Optional.ofNullable(storeId);
    }

    public RoleView view(Namespace namespace, Role role) {
        Realm realm = realms.get(namespace);
        return realm == null ? RoleView.absent(role) : realm.view(role);
    }

    /** All that have a record, in the order of their names. */
    public List<RoleView> roles(Namespace namespace) {
        return entries(namespace).stream().map(RoleEntry::view).toList();
    }

    /** Who campaigns for the role. */
    public List<CandidateId> candidates(Namespace namespace, Role role) {
        Realm realm = realms.get(namespace);
        return realm == null ? List.of() : realm.candidates(role);
    }

    /** How many roles have a record, in all namespaces. */
    public int roleCount() {
        return realms.values().stream().mapToInt(realm -> realm.roles().size()).sum();
    }

    /** {@link Reply.Holds}, in the order of the roles' names, or {@link Reply.Gone}. */
    public Reply held(Namespace namespace, SessionId session) {
        Session live = live(namespace, session);
        return live == null ? new Reply.Gone() : new Reply.Holds(live.holds());
    }

    /** {@link dev.signet.store.HeldDigest} of what a live session holds; empty if it does not live. In constant time. */
    public OptionalLong heldDigest(Namespace namespace, SessionId session) {
        Session live = live(namespace, session);
        return live == null ? OptionalLong.empty() : OptionalLong.of(live.digest());
    }

    /** The session that holds the role, whose deadline says when the role becomes claimable; empty if it is so now. */
    public Optional<SessionId> holder(Namespace namespace, Role role) {
        Realm realm = realms.get(namespace);
        return realm == null ? Optional.empty() : realm.role(role).holding().flatMap(Holding::session);
    }

    public Optional<LiveSession> session(Namespace namespace, SessionId session) {
        return Optional.ofNullable(live(namespace, session)).map(live -> shown(namespace, live));
    }

    /** All that live, by namespace, in the order in which they were first opened. */
    public List<LiveSession> sessions() {
        List<LiveSession> all = new ArrayList<>();
        realms.forEach(
                (namespace, realm) -> realm.sessions().live().forEach(session -> all.add(shown(namespace, session))));
        return all;
    }

    public Optional<LiveReservation> reservation(Namespace namespace, Role role) {
        Realm realm = realms.get(namespace);
        return realm == null
                ? Optional.empty()
                : shown(namespace, realm.role(role)).findFirst();
    }

    /** All that stand, by namespace and role. In the time that it takes to look at every role. */
    public List<LiveReservation> reservations() {
        return realms.entrySet().stream()
                .flatMap(realm -> realm.getValue().roles().stream().flatMap(entry -> shown(realm.getKey(), entry)))
                .toList();
    }

    /**
     * The roles whose view may be another than when this was last asked, each once, in the order of their names. A ledger that
     * was restored says nothing of what was before.
     */
    public List<Changed> takeChanged() {
        List<Changed> taken = List.copyOf(changed);
        changed.clear();
        return taken;
    }

    // Snapshots

    /** All of it but {@link #takeChanged}. Equal for ledgers to which the same was told, in one order, whatever else befell them. */
    public byte[] snapshot() {
        return Snapshots.seal(new LedgerFormat(storeId(), realms));
    }

    /** @throws Unreadable if these bytes are not the whole of a snapshot as it was taken by a version that this one knows */
    public static Ledger restore(byte[] snapshot) throws Unreadable {
        return Snapshots.open(snapshot);
    }

    void restoreStoreId(StoreId id) {
        storeId = id;
    }

    Realm restoreRealm(Namespace namespace) {
        return realm(namespace);
    }

    private Realm realm(Namespace namespace) {
        return realms.computeIfAbsent(
                namespace, unseen -> new Realm(role -> changed.add(new Changed(namespace, role))));
    }

    private @Nullable Session live(Namespace namespace, SessionId session) {
        Realm realm = realms.get(namespace);
        return realm == null ? null : realm.sessions().live(session);
    }

    private Collection<RoleEntry> entries(Namespace namespace) {
        Realm realm = realms.get(namespace);
        return realm == null ? List.of() : realm.roles();
    }

    private static LiveSession shown(Namespace namespace, Session session) {
        return new LiveSession(
                namespace, session.id(), session.candidate(), session.opening().leaseDuration(), session.openings());
    }

    private static Stream<LiveReservation> shown(Namespace namespace, RoleEntry entry) {
        return entry.kept().stream()
                .map(kept -> new LiveReservation(namespace, entry.role(), kept.number(), kept.target(), kept.window()));
    }
}
