package dev.signet.election.role;

import dev.signet.FencingToken;
import dev.signet.TermId;
import dev.signet.election.role.RoleEvent.AcquireUnknown;
import dev.signet.election.role.RoleEvent.Declined;
import dev.signet.election.role.RoleEvent.Granted;
import dev.signet.election.role.RoleEvent.Observed;
import dev.signet.election.role.RoleEvent.SessionLost;
import dev.signet.observe.Event;
import dev.signet.store.NotGranted.Reason;
import java.util.Optional;

/**
 * Asked for the role, not answered. An unknown answer is asked for again with the same attempt and term id, so that at
 * most one grant comes of it; leaving this phase unanswered goes by {@link Releasing}.
 *
 * @param floor the grant has to be above it; 0 for none
 * @param healedFrom the token that a fence had refused, if this is to get above what the fence has seen
 * @param sawOpen whether, since it was sent, the role was last seen to be open: if this attempt is declined, by a store that
 *     had not seen that yet, another follows at once
 */
record Acquiring(
        long attempt,
        TermId termId,
        long floor,
        long expectedVersion,
        Optional<FencingToken> healedFrom,
        boolean sawOpen)
        implements WithoutTerm {

    static Phase begin(Turn turn) {
        return send(0, turn.seenVersion(), Optional.empty(), turn);
    }

    /** Acquires again, above what a fence has seen, a role that is held. */
    static Phase heal(Tenure tenure, long highest, Turn turn) {
        return send(highest, tenure.version(), Optional.of(tenure.token()), turn);
    }

    private static Phase send(long floor, long expectedVersion, Optional<FencingToken> healedFrom, Turn turn) {
        Acquiring next = new Acquiring(turn.nextAttempt(), turn.fresh(), floor, expectedVersion, healedFrom, false);
        return next.ask(turn);
    }

    private Phase ask(Turn turn) {
        turn.add(new RoleEffect.SendAcquire(turn.standing().pulse().epoch(), attempt, termId, floor, expectedVersion));
        return this;
    }

    @Override
    public Kind kind() {
        return Kind.ACQUIRING;
    }

    @Override
    public Phase onGranted(Granted event, Turn turn) {
        if (event.grant().attempt() != attempt || !event.grant().termId().equals(termId)) {
            return this;
        }
        if (turn.contradicts(event.grant())) {
            return Releasing.begin(attempt, turn.seenVersion(), turn);
        }
        healedFrom.ifPresent(from -> turn.emit(new Event.TokensSkipped(
                turn.plan().role(), from, event.grant().token(), "a fence had seen token " + floor)));
        WithTerm sealing = Sealing.begin(Tenure.of(event.grant(), healedFrom.isPresent()), turn);
        return turn.standing().pulse().isSuspended() ? new Frozen(sealing) : sealing.advance(turn);
    }

    @Override
    public Phase onDeclined(Declined event, Turn turn) {
        if (event.attempt() != attempt) {
            return this;
        }
        boolean current = turn.hears(event.why().view(), expectedVersion);
        if (healedFrom.isPresent()) {
            return healingDeclined(event, turn);
        }
        if (event.why().reason() == Reason.TOKENS_EXHAUSTED) {
            turn.emit(new Event.Alarm(turn.plan().role(), "its next token would be above " + FencingToken.MAX_VALUE));
            turn.backOff();
        } else if (event.why().reason() == Reason.SESSION_GONE || event.why().reason() == Reason.RELEASED) {
            turn.backOff();
        } else if (sawOpen && current) {
            return begin(turn);
        }
        return Seek.onView(turn);
    }

    private Phase healingDeclined(Declined event, Turn turn) {
        boolean moved = event.why().reason() == Reason.MOVED;
        boolean mine = event.why()
                .view()
                .holder()
                .filter(holder -> holder.candidate().equals(turn.plan().candidate()))
                .isPresent();
        if (moved && mine) {
            return send(floor, event.why().view().version(), healedFrom, turn);
        }
        turn.backOff();
        return Releasing.begin(attempt, expectedVersion, turn);
    }

    @Override
    public Phase onAcquireUnknown(AcquireUnknown event, Turn turn) {
        if (event.attempt() == attempt) {
            turn.schedule(new Timer.Reacquire(), turn.soon());
        }
        return this;
    }

    @Override
    public Phase onTimer(Timer timer, Turn turn) {
        return timer instanceof Timer.Reacquire && turn.standing().pulse().isLive() ? ask(turn) : this;
    }

    @Override
    public Phase onSessionResumed(Turn turn) {
        return ask(turn);
    }

    @Override
    public Phase onSessionLost(SessionLost event, Turn turn) {
        turn.cancel(new Timer.Reacquire());
        return Seek.next(turn);
    }

    @Override
    public Phase onSessionLive(Turn turn) {
        return this;
    }

    @Override
    public Phase onObserved(Observed event, Turn turn) {
        boolean open = event.view().isOpenTo(turn.plan().candidate());
        return new Acquiring(attempt, termId, floor, expectedVersion, healedFrom, open);
    }

    @Override
    public Phase onCampaign(Turn turn) {
        return this;
    }

    @Override
    public Phase onResign(Turn turn) {
        return giveUp(turn);
    }

    @Override
    public Phase onClose(Turn turn) {
        return giveUp(turn);
    }

    private Phase giveUp(Turn turn) {
        turn.cancel(new Timer.Reacquire());
        return Releasing.begin(attempt, expectedVersion, turn);
    }
}
