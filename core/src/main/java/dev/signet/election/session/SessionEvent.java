package dev.signet.election.session;

import dev.signet.store.StoreRefusal;
import dev.signet.time.Reading;

/**
 * What the session machine is told. Answers carry the epoch and the number of their request, and the reading taken
 * before it was sent: an answer of an earlier session is nobody's.
 */
public sealed interface SessionEvent {

    SessionState applyTo(SessionState state, SessionTurn turn);

    /** Begin. */
    record Open() implements SessionEvent {
        @Override
        public SessionState applyTo(SessionState state, SessionTurn turn) {
            return state.onOpen(turn);
        }
    }

    record Opened(long epoch, Reading sentAt) implements SessionEvent {
        @Override
        public SessionState applyTo(SessionState state, SessionTurn turn) {
            return state.onOpened(this, turn);
        }
    }

    record OpenRefused(long epoch, StoreRefusal refusal) implements SessionEvent {
        @Override
        public SessionState applyTo(SessionState state, SessionTurn turn) {
            return state.onOpenRefused(this, turn);
        }
    }

    record OpenUnknown(long epoch, String cause) implements SessionEvent {
        @Override
        public SessionState applyTo(SessionState state, SessionTurn turn) {
            return state.onOpenUnknown(this, turn);
        }
    }

    /** The tick that was scheduled last; how late it is tells a pause. */
    record Tick() implements SessionEvent {
        @Override
        public SessionState applyTo(SessionState state, SessionTurn turn) {
            return state.onTick(turn);
        }
    }

    record Renewed(long epoch, long seq, Reading sentAt, HeldMatch match) implements SessionEvent {
        @Override
        public SessionState applyTo(SessionState state, SessionTurn turn) {
            return state.onRenewed(this, turn);
        }
    }

    record RenewUnknown(long epoch, long seq) implements SessionEvent {
        @Override
        public SessionState applyTo(SessionState state, SessionTurn turn) {
            return state.onRenewUnknown(this, turn);
        }
    }

    record RenewGone(long epoch, long seq) implements SessionEvent {
        @Override
        public SessionState applyTo(SessionState state, SessionTurn turn) {
            return state.onRenewGone(this, turn);
        }
    }

    /** All roles have been released or given up: end the session. */
    record Close() implements SessionEvent {
        @Override
        public SessionState applyTo(SessionState state, SessionTurn turn) {
            return state.onClose(turn);
        }
    }

    /** The store answered the request to close, in whatever way. */
    record CloseAnswered(long epoch) implements SessionEvent {
        @Override
        public SessionState applyTo(SessionState state, SessionTurn turn) {
            return state.onCloseAnswered(this, turn);
        }
    }

    /** What a renewal's digest says of the roles that the store holds for this session. */
    enum HeldMatch {
        SAME,
        DIFFERENT,
        NOT_CARRIED
    }
}
