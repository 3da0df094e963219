package dev.signet.election.role;

import dev.signet.CandidateId;
import dev.signet.ResourceName;
import dev.signet.TermEnd;
import dev.signet.TermId;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealRefusal;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.RoleView;
import java.time.Duration;
import java.util.Optional;

/**
 * What a role machine is told. Answers carry the attempt or the term of their request, so that a late one is known as
 * what it is; not the token, which a store that was wiped or restored from a backup grants once more.
 */
public sealed interface RoleEvent {

    Phase applyTo(Phase phase, Turn turn);

    // What the application wants.

    /** Campaign, now and after each term that ends. */
    record Campaign() implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            turn.wish(Standing.Wish.CAMPAIGN);
            return phase.onCampaign(turn);
        }
    }

    /** Drain, release, and campaign no more. */
    record Resign() implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            turn.wish(Standing.Wish.REST);
            return phase.onResign(turn);
        }
    }

    record Transfer(CandidateId to, Duration window) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return phase.onTransfer(this, turn);
        }
    }

    /** As {@link Resign}, for good. */
    record Close() implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            turn.wish(Standing.Wish.CLOSE);
            return phase.onClose(turn);
        }
    }

    /** The application's probe says that it does not work; give the role to others for a while. */
    record ProbeFailed() implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return phase.onProbeFailed(turn);
        }
    }

    // What the session machine says.

    record SessionLive(long epoch) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            turn.pulse(epoch, Pulse.Beat.LIVE);
            turn.forgetSeen();
            if (turn.standing().campaigns()) {
                turn.add(new RoleEffect.Enlist(epoch));
            }
            return phase.onSessionLive(turn);
        }
    }

    record SessionSuspended(long epoch) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            turn.pulse(epoch, Pulse.Beat.SUSPENDED);
            return phase.onSessionSuspended(turn);
        }
    }

    record SessionResumed(long epoch) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            turn.pulse(epoch, Pulse.Beat.LIVE);
            return phase.onSessionResumed(turn);
        }
    }

    record SessionLost(long epoch, TermEnd.Reason reason) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            turn.pulse(epoch, Pulse.Beat.GONE);
            return phase.onSessionLost(this, turn);
        }
    }

    // What the store says.

    record Granted(Grant grant) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return phase.onGranted(this, turn);
        }
    }

    record Declined(long attempt, NotGranted why) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return phase.onDeclined(this, turn);
        }
    }

    record AcquireUnknown(long attempt) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return phase.onAcquireUnknown(this, turn);
        }
    }

    record Released(long attempt, RoleView view) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return phase.onReleased(this, turn);
        }
    }

    record ReleaseUnknown(long attempt) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return phase.onReleaseUnknown(attempt, turn);
        }
    }

    record Reserved(long attempt) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return phase.onReserved(attempt, turn);
        }
    }

    record ReserveRefused(long attempt, NotReserved why) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return phase.onReserveRefused(this, turn);
        }
    }

    record ReserveUnknown(long attempt) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return phase.onReserveUnknown(attempt, turn);
        }
    }

    record Observed(RoleView view) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return turn.sees(view) ? phase.onObserved(this, turn) : phase;
        }
    }

    record WatchBroken() implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            if (phase.kind() != Phase.Kind.IDLE && phase.kind() != Phase.Kind.CLOSED) {
                turn.schedule(new Timer.Rewatch(), turn.plan().timing().retryPeriod());
            }
            return phase;
        }
    }

    /**
     * What the store said the session holds of this role.
     *
     * @param epoch of the session that was asked for
     * @param grantedAttempt {@link RoleState#grantedAttempt} when the question was sent: a grant that came later is not
     *     contradicted by the answer
     */
    record Reconciled(long epoch, long grantedAttempt, Optional<Grant> held) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return epoch == turn.standing().pulse().epoch() ? phase.onReconciled(this, turn) : phase;
        }
    }

    // What the fences say.

    record Sealed(TermId term, ResourceName resource) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return phase.onSealed(this, turn);
        }
    }

    record SealRefused(TermId term, ResourceName resource, SealRefusal refusal) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return phase.onSealRefused(this, turn);
        }
    }

    record SealUnknown(TermId term, ResourceName resource) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return phase.onSealUnknown(this, turn);
        }
    }

    /** A write of this term was refused at a resource. */
    record FenceRefused(TermId term, ResourceName resource, Refusal refusal) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            return phase.onFenceRefused(this, turn);
        }
    }

    // What the listener did.

    record CallbackReturned(TermId term, Callback callback, Outcome outcome) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            turn.returned(this);
            return phase.onCallbackReturned(this, turn);
        }
    }

    record TimerFired(Timer timer) implements RoleEvent {
        @Override
        public Phase applyTo(Phase phase, Turn turn) {
            if (timer instanceof Timer.BackOff) {
                turn.backOffOver();
            }
            if (timer instanceof Timer.Rewatch
                    && phase.kind() != Phase.Kind.IDLE
                    && phase.kind() != Phase.Kind.CLOSED) {
                turn.forgetSeen();
                turn.add(new RoleEffect.Watch());
                return phase;
            }
            return phase.onTimer(timer, turn);
        }
    }

    /** How a call of the listener ended. */
    sealed interface Outcome {

        record Returned() implements Outcome {}

        record Threw(String cause) implements Outcome {}

        /** The executor took it not; it never ran. */
        record Rejected() implements Outcome {}
    }
}
