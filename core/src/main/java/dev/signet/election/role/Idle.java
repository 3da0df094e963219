package dev.signet.election.role;

import dev.signet.election.role.RoleEvent.Reconciled;

/** Does not campaign. */
record Idle() implements WithoutTerm {

    @Override
    public Kind kind() {
        return Kind.IDLE;
    }

    @Override
    public Phase onCampaign(Turn turn) {
        return Seek.begin(turn);
    }

    @Override
    public Phase onResign(Turn turn) {
        return this;
    }

    @Override
    public Phase onClose(Turn turn) {
        return Seek.next(turn);
    }

    @Override
    public Phase onSessionLive(Turn turn) {
        return this;
    }

    @Override
    public Phase onReconciled(Reconciled event, Turn turn) {
        return Seek.releaseOrphan(event, turn).orElse(this);
    }
}
