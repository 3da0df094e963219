package dev.signet.election.role;

import dev.signet.TermEnd.Reason;
import dev.signet.election.role.RoleEvent.SealRefused;

/** Holds a term while the session is suspended: nothing is valid, nothing is over. Facts are kept for when it resumes. */
record Frozen(WithTerm inner) implements WithTerm {

    @Override
    public Kind kind() {
        return Kind.FROZEN;
    }

    @Override
    public Tenure tenure() {
        return inner.tenure();
    }

    @Override
    public WithTerm with(Tenure facts) {
        return new Frozen(inner.with(facts));
    }

    @Override
    public Phase advance(Turn turn) {
        return this;
    }

    @Override
    public Phase drain(Reason reason, Turn turn) {
        return refreeze(inner.drain(reason, turn));
    }

    @Override
    public Phase onSessionSuspended(Turn turn) {
        return this;
    }

    @Override
    public Phase onSessionResumed(Turn turn) {
        return inner.advance(turn);
    }

    @Override
    public Phase onTimer(Timer timer, Turn turn) {
        return refreeze(inner.onTimer(timer, turn));
    }

    /** Decided when the session is live again: healing takes a live session. */
    @Override
    public Phase onSealRefused(SealRefused event, Turn turn) {
        if (tenure().isOf(event.term())) {
            turn.schedule(new Timer.Reseal(event.resource()), turn.soon());
        }
        return this;
    }

    private static Phase refreeze(Phase next) {
        return next instanceof WithTerm held && !(held instanceof Frozen) ? new Frozen(held) : next;
    }
}
