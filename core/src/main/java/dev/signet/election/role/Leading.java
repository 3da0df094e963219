package dev.signet.election.role;

import dev.signet.TermEnd;
import dev.signet.TermEnd.Reason;
import dev.signet.election.role.RoleEvent.Transfer;

/** Leads. */
record Leading(Tenure tenure) implements WithTerm {

    @Override
    public Kind kind() {
        return Kind.LEADING;
    }

    @Override
    public WithTerm with(Tenure facts) {
        return new Leading(facts);
    }

    @Override
    public Phase advance(Turn turn) {
        return this;
    }

    @Override
    public Phase drain(Reason reason, Turn turn) {
        turn.add(new RoleEffect.SignalDraining(tenure.token(), reason));
        if (!tenure.running().contains(Callback.ELECTED)) {
            return Ending.of(tenure, TermEnd.because(reason), turn);
        }
        turn.schedule(new Timer.Drain(), turn.plan().drain());
        return new Resigning(tenure, reason);
    }

    @Override
    public Phase onTransfer(Transfer event, Turn turn) {
        if (turn.standing().transferTo().isPresent()) {
            turn.add(RoleEffect.ConcludeTransfer.refused(event.to(), "another transfer is under way"));
            return this;
        }
        if (event.to().equals(turn.plan().candidate())) {
            turn.add(RoleEffect.ConcludeTransfer.refused(event.to(), "it leads already"));
            return this;
        }
        turn.transferBegins(event.to());
        turn.add(new RoleEffect.SendReserve(
                turn.standing().pulse().epoch(), grantedAttempt(), event.to(), event.window()));
        return this;
    }
}
