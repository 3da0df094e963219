package dev.signet.election.role;

import dev.signet.Answer;
import dev.signet.election.role.RoleEvent.Released;
import dev.signet.election.role.RoleEvent.SessionLost;
import dev.signet.store.Concluded;

/**
 * Gives the role back, or makes sure that an unanswered acquire comes to nothing, and asks until the store has said so
 * or the session, on which both hang, is gone.
 */
record Releasing(long epoch, long attempt, long expectedVersion) implements WithoutTerm {

    /** The version of no record that somebody holds: only what this session holds is given back, nothing else changes. */
    static final long NO_VERSION = 0;

    static Phase begin(long attempt, long expectedVersion, Turn turn) {
        if (turn.standing().pulse().isGone()) {
            return ended(Answer.unknown("the session was lost"), turn);
        }
        return new Releasing(turn.standing().pulse().epoch(), attempt, expectedVersion).ask(turn);
    }

    private Phase ask(Turn turn) {
        turn.add(new RoleEffect.SendRelease(epoch, attempt, expectedVersion));
        return this;
    }

    private static Phase ended(Answer<Concluded, String> transfer, Turn turn) {
        turn.cancel(new Timer.Rerelease());
        turn.concludeTransfer(transfer);
        return Seek.next(turn);
    }

    @Override
    public Kind kind() {
        return Kind.RELEASING;
    }

    @Override
    public Phase onReleased(Released event, Turn turn) {
        if (event.attempt() != attempt) {
            return this;
        }
        turn.hears(event.view(), expectedVersion);
        return ended(Answer.done(Concluded.CONCLUDED), turn);
    }

    @Override
    public Phase onReleaseUnknown(long unknown, Turn turn) {
        if (unknown == attempt) {
            turn.schedule(new Timer.Rerelease(), turn.soon());
        }
        return this;
    }

    @Override
    public Phase onTimer(Timer timer, Turn turn) {
        return timer instanceof Timer.Rerelease ? ask(turn) : this;
    }

    @Override
    public Phase onSessionLost(SessionLost event, Turn turn) {
        return ended(Answer.unknown("the session was lost"), turn);
    }

    @Override
    public Phase onSessionLive(Turn turn) {
        return this;
    }

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
}
