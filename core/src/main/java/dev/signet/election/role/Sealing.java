package dev.signet.election.role;

import dev.signet.TermEnd;
import dev.signet.TermEnd.Reason;
import dev.signet.election.role.RoleEvent.SealRefused;
import dev.signet.fence.Refusal;
import dev.signet.observe.Event;

/**
 * Granted; raising fences. Nobody was told of the term, and nobody will be before every required resource is sealed.
 *
 * <p>A fence that has seen a higher token, or this one by another term, of this same store, means that the store has
 * forgotten grants (it was restored from a backup). The role is then granted anew above what the fence has seen: here
 * only, once per term, capped per hour, and by an acquire, which is a write that a store confirms only to a live session.
 */
record Sealing(Tenure tenure) implements WithTerm {

    static WithTerm begin(Tenure tenure, Turn turn) {
        turn.emit(new Event.Granted(turn.plan().role(), tenure.token()));
        Sealing sealing = new Sealing(tenure);
        turn.plan().resources().keySet().forEach(resource -> sealing.seal(resource, turn));
        return sealing;
    }

    @Override
    public Kind kind() {
        return Kind.SEALING;
    }

    @Override
    public WithTerm with(Tenure facts) {
        return new Sealing(facts);
    }

    @Override
    public Phase advance(Turn turn) {
        return Course.follow(tenure, turn);
    }

    @Override
    public Phase drain(Reason reason, Turn turn) {
        return Ending.of(tenure, TermEnd.because(reason), turn);
    }

    @Override
    public Phase onSealRefused(SealRefused event, Turn turn) {
        if (!tenure.isOf(event.term())) {
            return this;
        }
        reportSealRefused(event, turn);
        if (isHealable(event.refusal().refusal(), turn)) {
            Ending.announce(
                    tenure,
                    new TermEnd(Reason.HEALED, "above " + event.refusal().highest()),
                    turn);
            return Acquiring.heal(tenure, event.refusal().highest(), turn);
        }
        turn.emit(new Event.Alarm(
                turn.plan().role(),
                "resource " + event.resource() + " refuses to be sealed: "
                        + event.refusal().message()));
        turn.backOff();
        return Ending.of(
                tenure, new TermEnd(Reason.SEAL_REFUSED, event.resource().name()), turn);
    }

    private boolean isHealable(Refusal refusal, Turn turn) {
        boolean forgotten = refusal == Refusal.STALE || refusal == Refusal.SAME_TOKEN_OTHER_TERM;
        return forgotten && !tenure.healed() && turn.standing().pulse().isLive() && turn.mayHeal();
    }
}
