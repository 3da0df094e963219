package dev.signet.store.quorum.voter;

import dev.signet.Namespace;
import dev.signet.store.RoleView;
import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Ledger;
import dev.signet.store.quorum.state.Reply;
import java.time.Duration;
import java.util.Optional;

/**
 * What only the leader of a Raft term knows, and only while it leads: when sessions and reservations end. Not thread-safe: guarded
 * by the ledger's lock.
 */
final class LeaderClock {

    private final long raftTerm;
    private final Deadlines<SessionKey> sessions = new Deadlines<>();
    private final Deadlines<ReservationKey> reservations = new Deadlines<>();

    private LeaderClock(long raftTerm) {
        this.raftTerm = raftTerm;
    }

    /** A new leader gives each session its whole lease, and each reservation its whole window. */
    static LeaderClock anew(long raftTerm, Ledger ledger, long nowNanos) {
        LeaderClock clock = new LeaderClock(raftTerm);
        clock.followWhatIsNew(ledger, nowNanos);
        return clock;
    }

    /** Gives a whole lease or window to what it does not know, and leaves the rest as it is: of some its end may be under way. */
    void followWhatIsNew(Ledger ledger, long nowNanos) {
        ledger.sessions()
                .forEach(one -> sessions.beginUnlessKnown(
                        new SessionKey(one.namespace(), one.session()), one.lease(), nowNanos));
        ledger.reservations()
                .forEach(one -> reservations.beginUnlessKnown(
                        new ReservationKey(one.namespace(), one.role(), one.number()), one.window(), nowNanos));
    }

    long raftTerm() {
        return raftTerm;
    }

    Deadlines<SessionKey> sessions() {
        return sessions;
    }

    Deadlines<ReservationKey> reservations() {
        return reservations;
    }

    /** A command of the log was applied, with this reply. */
    void follow(Command command, Reply reply, Ledger ledger, long nowNanos) {
        if (command instanceof Command.Batch batch && reply instanceof Reply.Batched replies) {
            for (int i = 0; i < batch.commands().size(); i++) {
                follow(batch.commands().get(i), replies.replies().get(i), ledger, nowNanos);
            }
        } else if (command instanceof Command.Open open && reply instanceof Reply.Opened) {
            ledger.session(open.namespace(), open.request().session())
                    .ifPresent(one ->
                            sessions.begin(new SessionKey(one.namespace(), one.session()), one.lease(), nowNanos));
        } else if (command instanceof Command.Close close) {
            sessions.end(new SessionKey(close.namespace(), close.session()));
        } else if (command instanceof Command.Expire expire && reply instanceof Reply.Done) {
            sessions.end(new SessionKey(expire.namespace(), expire.session()));
        } else if (command instanceof Command.Lapse lapse) {
            reservations.end(new ReservationKey(lapse.namespace(), lapse.role(), lapse.reservation()));
        } else if (command instanceof Command.Keep keep && reply instanceof Reply.Viewed) {
            ledger.reservation(keep.namespace(), keep.request().role())
                    .ifPresent(one -> reservations.begin(
                            new ReservationKey(one.namespace(), one.role(), one.number()), one.window(), nowNanos));
        }
    }

    /** What the state alone cannot say of a role: how long its holder's session and its reservation last. */
    RoleView refine(Namespace namespace, RoleView view, Ledger ledger, long nowNanos) {
        Optional<Duration> untilClaimable = view.claimable()
                ? Optional.empty()
                : ledger.holder(namespace, view.role())
                        .flatMap(holder -> sessions.remaining(new SessionKey(namespace, holder), nowNanos));
        Optional<RoleView.Reservation> reservation = ledger.reservation(namespace, view.role())
                .flatMap(one -> view.reservation()
                        .map(kept -> new RoleView.Reservation(
                                kept.target(),
                                reservations
                                        .remaining(new ReservationKey(namespace, view.role(), one.number()), nowNanos)
                                        .orElse(kept.remaining()))));
        return new RoleView(
                view.role(),
                view.version(),
                view.lastToken(),
                view.holder(),
                view.claimable(),
                untilClaimable,
                reservation);
    }

    void postpone(long nanos) {
        sessions.postpone(nanos);
        reservations.postpone(nanos);
    }
}
