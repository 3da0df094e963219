package dev.signet.election.role;

import dev.signet.election.role.RoleEvent.Reconciled;
import dev.signet.observe.Event;
import dev.signet.store.Grant;
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
