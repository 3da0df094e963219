package dev.signet.election.role;

import dev.signet.Answer;
import dev.signet.TermEnd;
import dev.signet.TermEnd.Reason;
import dev.signet.election.role.RoleEvent.AcquireUnknown;
import dev.signet.election.role.RoleEvent.CallbackReturned;
import dev.signet.election.role.RoleEvent.Declined;
import dev.signet.election.role.RoleEvent.FenceRefused;
import dev.signet.election.role.RoleEvent.Granted;
import dev.signet.election.role.RoleEvent.Observed;
import dev.signet.election.role.RoleEvent.Outcome;
import dev.signet.election.role.RoleEvent.Reconciled;
import dev.signet.election.role.RoleEvent.Released;
import dev.signet.election.role.RoleEvent.ReserveRefused;
import dev.signet.election.role.RoleEvent.SealRefused;
import dev.signet.election.role.RoleEvent.SealUnknown;
import dev.signet.election.role.RoleEvent.Sealed;
import dev.signet.election.role.RoleEvent.SessionLost;
import dev.signet.election.role.RoleEvent.Transfer;
import dev.signet.observe.Event;

/**
 * The term is over; its listener has not returned. The role is released when it has, or when a grace has passed, which is
 * reported. It is campaigned for again only when it has: two terms of one role do not run beside each other in one
 * process, and a candidate that could not lead does not keep the role from others.
 *
 * @param sessionLost whether the session of the term is gone, and the role with it
 */
record Ending(Tenure tenure, boolean sessionLost) implements Phase {

    /** Ends the term: says so first, then tells the listener, then waits for it. */
    static Phase of(Tenure tenure, TermEnd end, Turn turn) {
        announce(tenure, end, turn);
        Tenure after = tenure;
        if (tenure.electedCalled()) {
            turn.add(new RoleEffect.CallDeposed(tenure.token(), end));
            after = tenure.withDeposedCalled();
        }
        Ending ending = new Ending(after, turn.standing().pulse().isGone());
        if (after.running().isEmpty()) {
            return ending.over(turn);
        }
        turn.schedule(new Timer.Grace(), turn.plan().grace());
        return ending;
    }

    /** The end of the term itself, before anything that follows from it. */
    static void announce(Tenure tenure, TermEnd end, Turn turn) {
        turn.add(new RoleEffect.EndTerm(tenure.token(), end));
        turn.emit(new Event.Ended(turn.plan().role(), tenure.token(), end, tenure.electedCalled()));
        turn.cancel(new Timer.Drain());
        turn.plan().resources().keySet().forEach(resource -> turn.cancel(new Timer.Reseal(resource)));
        if (end.reason() != Reason.TRANSFERRED) {
            turn.concludeTransfer(Answer.unknown("the term ended: " + end));
        }
    }

    private Phase over(Turn turn) {
        turn.cancel(new Timer.Grace());
        if (sessionLost) {
            turn.concludeTransfer(Answer.unknown("the session was lost"));
            return Seek.next(turn);
        }
        return Releasing.begin(turn.standing().lastAttempt(), tenure.version(), turn);
    }

    @Override
    public Kind kind() {
        return Kind.ENDING;
    }

    @Override
    public long grantedAttempt() {
        return 0;
    }

    @Override
    public Phase onCallbackReturned(CallbackReturned event, Turn turn) {
        if (!tenure.isOf(event.term())) {
            return this;
        }
        if (event.callback() == Callback.ELECTED && event.outcome() instanceof Outcome.Returned) {
            turn.succeeded();
        }
        Ending after = new Ending(tenure.withReturned(event.callback()), sessionLost);
        return after.tenure.running().isEmpty() ? after.over(turn) : after;
    }

    @Override
    public Phase onTimer(Timer timer, Turn turn) {
        if (!(timer instanceof Timer.Grace)) {
            return this;
        }
        turn.emit(new Event.ListenerOverran(
                turn.plan().role(), tenure.token(), turn.plan().grace()));
        turn.overran(tenure);
        return over(turn);
    }

    @Override
    public Phase onTransfer(Transfer event, Turn turn) {
        turn.add(RoleEffect.ConcludeTransfer.refused(event.to(), "this candidate does not lead it"));
        return this;
    }

    // What the application wants next, and how the session is, stand in the standing; nothing else matters any more.

    @Override
    public Phase onCampaign(Turn turn) {
        return this;
    }

    @Override
    public Phase onResign(Turn turn) {
        return this;
    }

    @Override
    public Phase onClose(Turn turn) {
        return this;
    }

    @Override
    public Phase onProbeFailed(Turn turn) {
        return this;
    }

    @Override
    public Phase onSessionLive(Turn turn) {
        return this;
    }

    @Override
    public Phase onSessionSuspended(Turn turn) {
        return this;
    }

    @Override
    public Phase onSessionResumed(Turn turn) {
        return this;
    }

    @Override
    public Phase onSessionLost(SessionLost event, Turn turn) {
        return new Ending(tenure, true);
    }

    @Override
    public Phase onGranted(Granted event, Turn turn) {
        return this;
    }

    @Override
    public Phase onDeclined(Declined event, Turn turn) {
        return this;
    }

    @Override
    public Phase onAcquireUnknown(AcquireUnknown event, Turn turn) {
        return this;
    }

    @Override
    public Phase onReleased(Released event, Turn turn) {
        return this;
    }

    @Override
    public Phase onReleaseUnknown(long attempt, Turn turn) {
        return this;
    }

    @Override
    public Phase onReserved(long attempt, Turn turn) {
        return this;
    }

    @Override
    public Phase onReserveRefused(ReserveRefused event, Turn turn) {
        return this;
    }

    @Override
    public Phase onReserveUnknown(long attempt, Turn turn) {
        return this;
    }

    @Override
    public Phase onObserved(Observed event, Turn turn) {
        return this;
    }

    @Override
    public Phase onReconciled(Reconciled event, Turn turn) {
        return this;
    }

    @Override
    public Phase onSealed(Sealed event, Turn turn) {
        return this;
    }

    @Override
    public Phase onSealRefused(SealRefused event, Turn turn) {
        return this;
    }

    @Override
    public Phase onSealUnknown(SealUnknown event, Turn turn) {
        return this;
    }

    @Override
    public Phase onFenceRefused(FenceRefused event, Turn turn) {
        return this;
    }
}
