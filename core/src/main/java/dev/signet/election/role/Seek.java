package dev.signet.election.role;

import dev.signet.election.role.RoleEvent.Reconciled;
import dev.signet.observe.Event;
import dev.signet.store.Grant;
import dev.signet.store.RoleView;
import java.util.Optional;

/** Where to go when no term is held. */
final class Seek {

    private Seek() {}

    /** Begins to campaign. */
    static Phase begin(Turn turn) {
        turn.add(new RoleEffect.Watch());
        if (!turn.standing().pulse().isGone()) {
            turn.add(new RoleEffect.Enlist(turn.standing().pulse().epoch()));
        }
        return next(turn);
    }

    static Phase next(Turn turn) {
        return switch (turn.standing().wish()) {
            case CLOSE -> close(turn);
            case REST -> rest(turn);
            case CAMPAIGN -> isOpen(turn) ? Acquiring.begin(turn) : new Waiting();
        };
    }

    /**
     * Where to go from a view of the record. One that says that this candidate holds the role, which it does not know of,
     * tells of a grant of this session that a restored store remembers or that came of a request long given up, or of a
     * grant of a session before it. The first is given back; the second, which only its own session could, runs out.
     */
    static Phase onView(Turn turn) {
        Standing standing = turn.standing();
        boolean mine = standing.seen()
                .filter(view -> !view.claimable())
                .flatMap(RoleView::holder)
                .filter(holder -> holder.candidate().equals(standing.plan().candidate()))
                .isPresent();
        return mine && standing.pulse().isLive()
                ? Releasing.begin(standing.lastAttempt(), Releasing.NO_VERSION, turn)
                : next(turn);
    }

    /** A grant that nobody here knows of is given back. */
    static Optional<Phase> releaseOrphan(Reconciled event, Turn turn) {
        return event.held().map(orphan -> {
            turn.emit(new Event.OrphanFound(turn.plan().role(), orphan.token()));
            return release(orphan, turn);
        });
    }

    private static Phase release(Grant orphan, Turn turn) {
        return Releasing.begin(Math.max(orphan.attempt(), turn.standing().lastAttempt()), orphan.version(), turn);
    }

    private static boolean isOpen(Turn turn) {
        Standing standing = turn.standing();
        return standing.pulse().isLive()
                && !standing.backingOff()
                && standing.overrun().isEmpty()
                && standing.seen()
                        .filter(view -> view.isOpenTo(standing.plan().candidate()))
                        .isPresent();
    }

    private static Phase rest(Turn turn) {
        leave(turn);
        return new Idle();
    }

    private static Phase close(Turn turn) {
        leave(turn);
        turn.add(new RoleEffect.Finished());
        return new Closed();
    }

    private static void leave(Turn turn) {
        turn.add(new RoleEffect.Unwatch());
        turn.cancel(new Timer.BackOff());
        turn.backOffOver();
        if (!turn.standing().pulse().isGone()) {
            turn.add(new RoleEffect.Withdraw(turn.standing().pulse().epoch()));
        }
    }
}
