package dev.signet.election.session;

import dev.signet.election.session.SessionEvent.CloseAnswered;
import dev.signet.election.session.SessionEvent.OpenRefused;
import dev.signet.election.session.SessionEvent.OpenUnknown;
import dev.signet.election.session.SessionEvent.Opened;
import dev.signet.election.session.SessionEvent.RenewGone;
import dev.signet.election.session.SessionEvent.RenewUnknown;
import dev.signet.election.session.SessionEvent.Renewed;

/** States in which nothing is valid. Answers that reach them are of a session that is over: they change nothing. */
sealed interface WithoutSession extends SessionState permits Idle, Opening, Lost, Closing, Closed {

    @Override
    default SessionState onOpen(SessionTurn turn) {
        return this;
    }

    @Override
    default SessionState onOpened(Opened event, SessionTurn turn) {
        return this;
    }

    @Override
    default SessionState onOpenRefused(OpenRefused event, SessionTurn turn) {
        return this;
    }

    @Override
    default SessionState onOpenUnknown(OpenUnknown event, SessionTurn turn) {
        return this;
    }

    @Override
    default SessionState onTick(SessionTurn turn) {
        return this;
    }

    @Override
    default SessionState onRenewed(Renewed event, SessionTurn turn) {
        return this;
    }

    @Override
    default SessionState onRenewUnknown(RenewUnknown event, SessionTurn turn) {
        return this;
    }

    @Override
    default SessionState onRenewGone(RenewGone event, SessionTurn turn) {
        return this;
    }

    @Override
    default SessionState onClose(SessionTurn turn) {
        return Closed.finish(turn);
    }

    @Override
    default SessionState onCloseAnswered(CloseAnswered event, SessionTurn turn) {
        return this;
    }
}
