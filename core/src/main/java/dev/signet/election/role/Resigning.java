package dev.signet.election.role;

import dev.signet.TermEnd;
import dev.signet.TermEnd.Reason;

/** Asked to end; its work drains under a valid term, within a bound. */
record Resigning(Tenure tenure, Reason reason) implements WithTerm {

    @Override
    public Kind kind() {
        return Kind.RESIGNING;
    }

    @Override
    public WithTerm with(Tenure facts) {
        return new Resigning(facts, reason);
    }

    @Override
    public Phase advance(Turn turn) {
        return tenure.running().contains(Callback.ELECTED) ? this : Ending.of(tenure, TermEnd.because(reason), turn);
    }

    @Override
    public Phase drain(Reason again, Turn turn) {
        return this;
    }

    @Override
    public Phase onTimer(Timer timer, Turn turn) {
        return timer instanceof Timer.Drain
                ? Ending.of(tenure, new TermEnd(Reason.DRAIN_OVERRUN, "asked to end: " + reason), turn)
                : WithTerm.super.onTimer(timer, turn);
    }
}
