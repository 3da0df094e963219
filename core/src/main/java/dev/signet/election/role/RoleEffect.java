package dev.signet.election.role;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.TermEnd;
import dev.signet.TermId;
import dev.signet.observe.Event;
import dev.signet.store.Concluded;
import dev.signet.store.Grant;
import java.time.Duration;

/** What a role machine asks of the runtime, in order. */
public sealed interface RoleEffect {

    void carryOut(Hands hands);

    /** Acquire on the session of {@code epoch}. */
    record SendAcquire(long epoch, long attempt, TermId termId, long floor, long expectedVersion)
            implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.sendAcquire(this);
        }
    }

    record SendRelease(long epoch, long attempt, long expectedVersion) implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.sendRelease(this);
        }
    }

    record SendReserve(long epoch, long attempt, CandidateId to, Duration window) implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.sendReserve(this);
        }
    }

    /** Say at the store that this candidate campaigns, on the session of {@code epoch}; what it answers is observed. */
    record Enlist(long epoch) implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.enlist(this);
        }
    }

    record Withdraw(long epoch) implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.withdraw(this);
        }
    }

    /** Watch the role's record, from now on or anew. */
    record Watch() implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.watch(this);
        }
    }

    record Unwatch() implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.unwatch(this);
        }
    }

    record SendSeal(ResourceName resource, Stamp stamp) implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.sendSeal(this);
        }
    }

    /** Make the term known to the listener, and prepare. */
    record CallPrepare(Grant grant) implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.callPrepare(this);
        }
    }

    record CallElected(FencingToken token) implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.callElected(this);
        }
    }

    record CallDeposed(FencingToken token, TermEnd end) implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.callDeposed(this);
        }
    }

    /** Complete {@code term.draining()}. */
    record SignalDraining(FencingToken token, TermEnd.Reason reason) implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.signalDraining(this);
        }
    }

    /**
     * The term is over: invalid from here on, {@code term.ended()} completes, then a thread inside its listener is
     * interrupted. Before everything else of the same step that the application could see.
     */
    record EndTerm(FencingToken token, TermEnd end) implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.endTerm(this);
        }
    }

    /**
     * Tell who asked for a transfer what came of it: done if the role was released in its favour, refused if nothing has
     * changed, else unknown.
     */
    record ConcludeTransfer(CandidateId to, Answer<Concluded, String> outcome) implements RoleEffect {
        static ConcludeTransfer refused(CandidateId to, String why) {
            return new ConcludeTransfer(to, Answer.refused(why));
        }

        @Override
        public void carryOut(Hands hands) {
            hands.concludeTransfer(this);
        }
    }

    record Schedule(Timer timer, Duration delay) implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.schedule(this);
        }
    }

    record Cancel(Timer timer) implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.cancel(this);
        }
    }

    record Emit(Event event) implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.emit(this);
        }
    }

    /** This machine has closed; nothing more will come. */
    record Finished() implements RoleEffect {
        @Override
        public void carryOut(Hands hands) {
            hands.finished(this);
        }
    }

    /** Carries effects out: one call for each kind, so that a missing one does not compile. */
    interface Hands {

        void sendAcquire(SendAcquire effect);

        void sendRelease(SendRelease effect);

        void sendReserve(SendReserve effect);

        void enlist(Enlist effect);

        void withdraw(Withdraw effect);

        void watch(Watch effect);

        void unwatch(Unwatch effect);

        void sendSeal(SendSeal effect);

        void callPrepare(CallPrepare effect);

        void callElected(CallElected effect);

        void callDeposed(CallDeposed effect);

        void signalDraining(SignalDraining effect);

        void endTerm(EndTerm effect);

        void concludeTransfer(ConcludeTransfer effect);

        void schedule(Schedule effect);

        void cancel(Cancel effect);

        void emit(Emit effect);

        void finished(Finished effect);
    }
}
