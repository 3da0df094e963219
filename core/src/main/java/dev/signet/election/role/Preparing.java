package dev.signet.election.role;

import dev.signet.TermEnd;
import dev.signet.TermEnd.Reason;

/** Every required resource is sealed; the application catches up. It may write under the term; clients are refused. */
record Preparing(Tenure tenure) implements WithTerm {

    @Override
    public Kind kind() {
        return Kind.PREPARING;
    }

    @Override
    public WithTerm with(Tenure facts) {
        return new Preparing(facts);
    }

    @Override
    public Phase advance(Turn turn) {
        return Course.follow(tenure, turn);
    }

    @Override
    public Phase drain(Reason reason, Turn turn) {
        return Ending.of(tenure, TermEnd.because(reason), turn);
    }
}
