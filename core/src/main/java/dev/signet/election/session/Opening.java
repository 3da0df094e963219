package dev.signet.election.session;

import dev.signet.election.session.SessionEvent.OpenRefused;
import dev.signet.election.session.SessionEvent.OpenUnknown;
import dev.signet.election.session.SessionEvent.Opened;
import dev.signet.observe.Event;
import dev.signet.time.Reading;
import java.time.Duration;

/**
 * A session was asked for. Each try is an epoch of its own with its own secret id, so that an answer that comes late is
 * of a session that nobody uses; a try that is given up is closed at the store.
 *
 * @param failures in a row, which space the tries out
 * @param answered whether this try has failed, and the next tick begins another
 */
record Opening(long epoch, int failures, boolean answered) implements WithoutSession {

    private static final int LONGEST_DOUBLING = 4;

    static SessionState begin(long epoch, int failures, SessionTurn turn) {
        turn.add(new SessionEffect.SendOpen(epoch));
        turn.tickAfter(turn.timing().attemptTimeout());
        return new Opening(epoch, failures, false);
    }

    @Override
    public SessionState onOpened(Opened event, SessionTurn turn) {
        if (event.epoch() != epoch || answered) {
            return this;
        }
        Reading deadline = event.sentAt().plus(turn.timing().renewDeadline());
        if (turn.now().isAtOrAfter(deadline)) {
            turn.add(new SessionEffect.SendClose(epoch));
            return begin(epoch + 1, failures, turn);
        }
        return Live.begin(epoch, event.sentAt(), turn);
    }

    @Override
    public SessionState onOpenRefused(OpenRefused event, SessionTurn turn) {
        if (event.epoch() != epoch || answered) {
            return this;
        }
        turn.emit(new Event.SessionRefused(event.refusal()));
        return tryLater(turn);
    }

    @Override
    public SessionState onOpenUnknown(OpenUnknown event, SessionTurn turn) {
        if (event.epoch() != epoch || answered) {
            return this;
        }
        turn.emit(new Event.StoreUnreachable(event.cause()));
        return giveUpThisTry(turn);
    }

    @Override
    public SessionState onTick(SessionTurn turn) {
        return answered ? begin(epoch + 1, failures, turn) : giveUpThisTry(turn);
    }

    @Override
    public SessionState onClose(SessionTurn turn) {
        turn.add(new SessionEffect.SendClose(epoch));
        return Closed.finish(turn);
    }

    private SessionState giveUpThisTry(SessionTurn turn) {
        turn.add(new SessionEffect.SendClose(epoch));
        return tryLater(turn);
    }

    private SessionState tryLater(SessionTurn turn) {
        Duration delay = turn.timing().retryPeriod().multipliedBy(1L << Math.min(failures, LONGEST_DOUBLING));
        Duration longest = turn.timing().leaseDuration();
        turn.tickAfter(delay.compareTo(longest) < 0 ? delay : longest);
        return new Opening(epoch, failures + 1, true);
    }
}
