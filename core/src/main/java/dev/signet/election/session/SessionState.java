package dev.signet.election.session;

import dev.signet.election.session.SessionEvent.CloseAnswered;
import dev.signet.election.session.SessionEvent.OpenRefused;
import dev.signet.election.session.SessionEvent.OpenUnknown;
import dev.signet.election.session.SessionEvent.Opened;
import dev.signet.election.session.SessionEvent.RenewGone;
import dev.signet.election.session.SessionEvent.RenewUnknown;
import dev.signet.election.session.SessionEvent.Renewed;

/** Where a session stands. Each state says what each event does to it; a pair that is missing does not compile. */
public sealed interface SessionState permits WithoutSession, Live, Suspended {

    SessionState onOpen(SessionTurn turn);

    SessionState onOpened(Opened event, SessionTurn turn);

    SessionState onOpenRefused(OpenRefused event, SessionTurn turn);

    SessionState onOpenUnknown(OpenUnknown event, SessionTurn turn);

    SessionState onTick(SessionTurn turn);

    SessionState onRenewed(Renewed event, SessionTurn turn);

    SessionState onRenewUnknown(RenewUnknown event, SessionTurn turn);

    SessionState onRenewGone(RenewGone event, SessionTurn turn);

    SessionState onClose(SessionTurn turn);

    SessionState onCloseAnswered(CloseAnswered event, SessionTurn turn);
}
