package dev.signet.election.session;

import dev.signet.TermEnd;
import dev.signet.election.session.SessionEvent.CloseAnswered;
import dev.signet.election.session.SessionEvent.HeldMatch;
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
 * A session that is valid until {@code deadline}, unless more is heard.
 *
 * @param lastSeq of the last renewal that was sent
 * @param renewAt when the next one is to be sent
 * @param tickDue when the next tick should come; how late it is tells a pause
 * @param awakeSince since when the process could run without a pause, or since the session was proved alive
 * @param reconcileDue whether a renewal's answer was lost since the roles were last compared
 */
record Live(
        long epoch,
        long lastSeq,
        Reading deadline,
        Reading renewAt,
        Reading tickDue,
        Reading awakeSince,
        boolean reconcileDue)
        implements SessionState {

    static SessionState begin(long epoch, Reading openSentAt, SessionTurn turn) {
        turn.emit(new Event.SessionOpened());
        SessionState live = at(epoch, 0, openSentAt, turn);
        turn.add(new SessionEffect.NotifyLive(epoch));
        return live;
    }

    /** A session whose last proof of life was sent at {@code sentAt}. */
    static Live at(long epoch, long lastSeq, Reading sentAt, SessionTurn turn) {
        Reading deadline = sentAt.plus(turn.timing().renewDeadline());
        turn.add(new SessionEffect.PublishDeadline(epoch, deadline));
        Reading tickDue = turn.tickAfter(turn.timing().retryPeriod());
        return new Live(epoch, lastSeq, deadline, tickDue, tickDue, sentAt, false);
    }

    @Override
    public SessionState onTick(SessionTurn turn) {
        Duration late = turn.since(tickDue);
        if (turn.isPause(late)) {
            turn.emit(new Event.Paused(late));
        }
        Live woken = turn.isPause(late) ? wokenNow(turn) : this;
        if (turn.now().isAtOrAfter(deadline)) {
            return woken.hadTimeToRenew(turn)
                    ? Lost.because(TermEnd.Reason.RENEW_DEADLINE, epoch, turn)
                    : Suspended.begin(epoch, lastSeq, late, turn);
        }
        return woken.renewIfDue(turn).withDeadlineWithinWall(turn).tickNext(turn);
    }

    @Override
    public SessionState onRenewed(Renewed event, SessionTurn turn) {
        if (event.epoch() != epoch || turn.now().isAtOrAfter(deadline)) {
            return this;
        }
        if (reconcileDue || event.match() == HeldMatch.DIFFERENT) {
            turn.add(new SessionEffect.Reconcile(epoch));
        }
        Reading later = deadline.laterOf(event.sentAt().plus(turn.timing().renewDeadline()));
        if (!later.equals(deadline)) {
            turn.add(new SessionEffect.PublishDeadline(epoch, later));
        }
        return new Live(epoch, lastSeq, later, renewAt, tickDue, awakeSince, false);
    }

    @Override
    public SessionState onRenewUnknown(RenewUnknown event, SessionTurn turn) {
        return event.epoch() == epoch ? new Live(epoch, lastSeq, deadline, renewAt, tickDue, awakeSince, true) : this;
    }

    @Override
    public SessionState onRenewGone(RenewGone event, SessionTurn turn) {
        return event.epoch() == epoch ? Lost.because(TermEnd.Reason.SESSION_GONE, epoch, turn) : this;
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

    private Live wokenNow(SessionTurn turn) {
        return new Live(epoch, lastSeq, deadline, renewAt, tickDue, turn.now(), reconcileDue);
    }

    /** Whether a renewal begun on waking has had its full time: only then may the deadline judge. */
    private boolean hadTimeToRenew(SessionTurn turn) {
        return turn.now().isAtOrAfter(awakeSince.plus(turn.timing().attemptTimeout()));
    }

    private Live renewIfDue(SessionTurn turn) {
        if (!turn.now().isAtOrAfter(renewAt)) {
            return this;
        }
        turn.add(new SessionEffect.SendRenew(epoch, lastSeq + 1));
        Reading next = turn.now().plus(turn.timing().retryPeriod());
        return new Live(epoch, lastSeq + 1, deadline, next, tickDue, awakeSince, reconcileDue);
    }

    /** After the wall clock went back, its half of the deadline follows, so that it goes on seeing suspensions. */
    private Live withDeadlineWithinWall(SessionTurn turn) {
        Reading rebased = turn.now().plusNanos(deadline.monoNanos() - turn.now().monoNanos());
        if (rebased.wallMillis() >= deadline.wallMillis()) {
            return this;
        }
        turn.add(new SessionEffect.PublishDeadline(epoch, rebased));
        return new Live(epoch, lastSeq, rebased, renewAt, tickDue, awakeSince, reconcileDue);
    }

    private Live tickNext(SessionTurn turn) {
        long untilRenewal = renewAt.monoNanos() - turn.now().monoNanos();
        long untilDeadline = deadline.monoNanos() - turn.now().monoNanos();
        Reading due = turn.tickAfter(Duration.ofNanos(Math.max(0, Math.min(untilRenewal, untilDeadline))));
        return new Live(epoch, lastSeq, deadline, renewAt, due, awakeSince, reconcileDue);
    }
}
