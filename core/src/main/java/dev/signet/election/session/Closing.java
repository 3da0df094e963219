package dev.signet.election.session;

import dev.signet.election.session.SessionEvent.CloseAnswered;

/** Waiting, for one attempt, for the store to confirm the end. */
record Closing(long epoch) implements WithoutSession {

    static SessionState begin(long epoch, SessionTurn turn) {
        turn.add(new SessionEffect.WithdrawDeadline(epoch));
        turn.add(new SessionEffect.SendClose(epoch));
        turn.tickAfter(turn.timing().attemptTimeout());
        return new Closing(epoch);
    }

    @Override
    public SessionState onTick(SessionTurn turn) {
        return Closed.finish(turn);
    }

    @Override
    public SessionState onClose(SessionTurn turn) {
        return this;
    }

    @Override
    public SessionState onCloseAnswered(CloseAnswered event, SessionTurn turn) {
        return event.epoch() == epoch ? Closed.finish(turn) : this;
    }
}
