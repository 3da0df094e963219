package dev.signet.election.role;

import dev.signet.election.role.RoleEvent.CallbackReturned;
import dev.signet.election.role.RoleEvent.Observed;
import dev.signet.election.role.RoleEvent.Reconciled;

/** Campaigns, and waits: for a session, for the role to be free, for the end of a back-off or of an old term's listener. */
record Waiting() implements WithoutTerm {

    @Override
    public Kind kind() {
        return Kind.WAITING;
    }

    @Override
    public Phase onCampaign(Turn turn) {
        return this;
    }

    @Override
    public Phase onResign(Turn turn) {
        return Seek.next(turn);
    }

    @Override
    public Phase onClose(Turn turn) {
        return Seek.next(turn);
    }

    @Override
    public Phase onSessionLive(Turn turn) {
        return Seek.next(turn);
    }

    @Override
    public Phase onSessionResumed(Turn turn) {
        return Seek.next(turn);
    }

    @Override
    public Phase onObserved(Observed event, Turn turn) {
        return Seek.onView(turn);
    }

    @Override
    public Phase onReconciled(Reconciled event, Turn turn) {
        return Seek.releaseOrphan(event, turn).orElse(this);
    }

    @Override
    public Phase onCallbackReturned(CallbackReturned event, Turn turn) {
        return Seek.next(turn);
    }

    @Override
    public Phase onTimer(Timer timer, Turn turn) {
        return Seek.next(turn);
    }
}
