package dev.signet.election.session;

import dev.signet.TermEnd;
import dev.signet.observe.Event;
import dev.signet.time.Reading;
import java.time.Duration;

/** What the session machine asks of the runtime, in order. */
public sealed interface SessionEffect {

    void carryOut(Hands hands);

    /** Open a session under a new secret id; it is {@code epoch} from now on. */
    record SendOpen(long epoch) implements SessionEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.sendOpen(this);
        }
    }

    /** Renew; read both clocks before sending. */
    record SendRenew(long epoch, long seq) implements SessionEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.sendRenew(this);
        }
    }

    /** Ask the store what the session holds, and tell each role. */
    record Reconcile(long epoch) implements SessionEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.reconcile(this);
        }
    }

    /** All terms of this epoch are valid until then: the one volatile that validity reads. */
    record PublishDeadline(long epoch, Reading deadline) implements SessionEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.publishDeadline(this);
        }
    }

    /** No term of this epoch is valid. */
    record WithdrawDeadline(long epoch) implements SessionEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.withdrawDeadline(this);
        }
    }

    record NotifyLive(long epoch) implements SessionEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.notifyLive(this);
        }
    }

    record NotifySuspended(long epoch) implements SessionEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.notifySuspended(this);
        }
    }

    record NotifyResumed(long epoch) implements SessionEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.notifyResumed(this);
        }
    }

    record NotifyLost(long epoch, TermEnd.Reason reason) implements SessionEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.notifyLost(this);
        }
    }

    /** Close the session at the store. */
    record SendClose(long epoch) implements SessionEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.sendClose(this);
        }
    }

    /** Tick after {@code delay}, and not at the time asked for before. */
    record ScheduleTick(Duration delay) implements SessionEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.scheduleTick(this);
        }
    }

    record Emit(Event event) implements SessionEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.emit(this);
        }
    }

    /** Nothing more will come. */
    record Finished() implements SessionEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.finished(this);
        }
    }

    /** Carries effects out: one call for each kind, so that a missing one does not compile. */
    interface Hands {

        void sendOpen(SendOpen effect);

        void sendRenew(SendRenew effect);

        void reconcile(Reconcile effect);

        void publishDeadline(PublishDeadline effect);

        void withdrawDeadline(WithdrawDeadline effect);

        void notifyLive(NotifyLive effect);

        void notifySuspended(NotifySuspended effect);

        void notifyResumed(NotifyResumed effect);

        void notifyLost(NotifyLost effect);

        void sendClose(SendClose effect);

        void scheduleTick(ScheduleTick effect);

        void emit(Emit effect);

        void finished(Finished effect);
    }
}
