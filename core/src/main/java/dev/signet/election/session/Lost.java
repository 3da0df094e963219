package dev.signet.election.session;

import dev.signet.TermEnd;
import dev.signet.observe.Event;
import java.time.Duration;

/** A session that is over; another is opened at the next tick. It is left to expire: see {@link SessionMachine}. */
record Lost(long epoch) implements WithoutSession {

    static SessionState because(TermEnd.Reason reason, long epoch, SessionTurn turn) {
        turn.add(new SessionEffect.WithdrawDeadline(epoch));
        turn.add(new SessionEffect.NotifyLost(epoch, reason));
        turn.emit(new Event.SessionLost(reason));
        turn.tickAfter(Duration.ZERO);
        return new Lost(epoch);
    }

    @Override
    public SessionState onTick(SessionTurn turn) {
        return Opening.begin(epoch + 1, 0, turn);
    }
}
