package dev.signet.election.session;

import dev.signet.TermEnd;
import dev.signet.election.session.SessionEvent.CloseAnswered;
import dev.signet.election.session.SessionEvent.OpenRefused;
import dev.signet.election.session.SessionEvent.OpenUnknown;
import dev.signet.election.session.SessionEvent.Opened;
import dev.signet.election.session.SessionEvent.RenewGone;
import dev.signet.election.session.SessionEvent.RenewUnknown;
import dev.signet.election.session.SessionEvent.Renewed;
import dev.signet.observe.Event;
import dev.signet.time.Reading;
import java.time.Duration;

/**
 * A session whose deadline passed while the process could not run. The renewal {@code confirmSeq}, begun after waking,
 * decides. A further pause before its answer begins another confirmation: the clocks alone lose nothing.
 */
record Suspended(long epoch, long confirmSeq, Reading confirmSentAt, Reading since, Reading tickDue)
        implements SessionState {

    static SessionState begin(long epoch, long lastSeq, Duration late, SessionTurn turn) {
        turn.add(new SessionEffect.WithdrawDeadline(epoch));
        turn.add(new SessionEffect.NotifySuspended(epoch));
        turn.emit(new Event.SessionSuspended(late));
        return confirm(epoch, lastSeq + 1, turn.now(), turn);
    }

    private static Suspended confirm(long epoch, long seq, Reading since, SessionTurn turn) {
        turn.add(new SessionEffect.SendRenew(epoch, seq));
        Reading due = turn.tickAfter(turn.timing().attemptTimeout());
        return new Suspended(epoch, seq, turn.now(), since, due);
    }

    @Override
    public SessionState onTick(SessionTurn turn) {
        return pausedAgain(turn) ? confirmAgain(turn) : lose(TermEnd.Reason.UNCONFIRMED_AFTER_PAUSE, turn);
    }

    @Override
    public SessionState onRenewed(Renewed event, SessionTurn turn) {
        if (event.epoch() != epoch || event.seq() < confirmSeq) {
            return this;
        }
        if (turn.now().isAtOrAfter(event.sentAt().plus(turn.timing().renewDeadline()))) {
            return confirmAgain(turn);
        }
        SessionState live = Live.at(epoch, event.seq(), event.sentAt(), turn);
        turn.add(new SessionEffect.NotifyResumed(epoch));
        turn.add(new SessionEffect.Reconcile(epoch));
        turn.emit(new Event.SessionResumed(turn.since(since)));
        return live;
    }

    @Override
    public SessionState onRenewUnknown(RenewUnknown event, SessionTurn turn) {
        if (event.epoch() != epoch || event.seq() != confirmSeq) {
            return this;
        }
        return pausedAgain(turn) ? confirmAgain(turn) : lose(TermEnd.Reason.UNCONFIRMED_AFTER_PAUSE, turn);
    }

    @Override
    public SessionState onRenewGone(RenewGone event, SessionTurn turn) {
        return event.epoch() == epoch ? lose(TermEnd.Reason.SESSION_GONE, turn) : this;
    }

    @Override
    public SessionState onOpen(SessionTurn turn) {
        return this;
    }

    @Override
    public SessionState onOpened(Opened event, SessionTurn turn) {
        return this;
    }

    @Override
    public SessionState onOpenRefused(OpenRefused event, SessionTurn turn) {
        return this;
    }

    @Override
    public SessionState onOpenUnknown(OpenUnknown event, SessionTurn turn) {
        return this;
    }

    @Override
    public SessionState onClose(SessionTurn turn) {
        return Closing.begin(epoch, turn);
    }

    @Override
    public SessionState onCloseAnswered(CloseAnswered event, SessionTurn turn) {
        return this;
    }

    private boolean pausedAgain(SessionTurn turn) {
        return turn.isPause(turn.since(tickDue));
    }

    private SessionState confirmAgain(SessionTurn turn) {
        return confirm(epoch, confirmSeq + 1, since, turn);
    }

    private SessionState lose(TermEnd.Reason reason, SessionTurn turn) {
        return Lost.because(reason, epoch, turn);
    }
}
