package dev.signet.election.role;

import dev.signet.election.role.RoleEvent.AcquireUnknown;
import dev.signet.election.role.RoleEvent.CallbackReturned;
import dev.signet.election.role.RoleEvent.Declined;
import dev.signet.election.role.RoleEvent.FenceRefused;
import dev.signet.election.role.RoleEvent.Granted;
import dev.signet.election.role.RoleEvent.Observed;
import dev.signet.election.role.RoleEvent.Reconciled;
import dev.signet.election.role.RoleEvent.Released;
import dev.signet.election.role.RoleEvent.ReserveRefused;
import dev.signet.election.role.RoleEvent.SealRefused;
import dev.signet.election.role.RoleEvent.SealUnknown;
import dev.signet.election.role.RoleEvent.Sealed;
import dev.signet.election.role.RoleEvent.SessionLost;
import dev.signet.election.role.RoleEvent.Transfer;

/**
 * Phases that hold no term. What is said of a term here is said of one that is over, and changes nothing; an answer to a
 * request that this phase did not send, likewise.
 */
sealed interface WithoutTerm extends Phase permits Idle, Waiting, Acquiring, Releasing, Closed {

    @Override
    default long grantedAttempt() {
        return 0;
    }

    @Override
    default Phase onTransfer(Transfer event, Turn turn) {
        turn.add(RoleEffect.ConcludeTransfer.refused(event.to(), "this candidate does not lead it"));
        return this;
    }

    @Override
    default Phase onProbeFailed(Turn turn) {
        return this;
    }

    @Override
    default Phase onSessionSuspended(Turn turn) {
        return this;
    }

    @Override
    default Phase onSessionResumed(Turn turn) {
        return this;
    }

    @Override
    default Phase onSessionLost(SessionLost event, Turn turn) {
        return this;
    }

    @Override
    default Phase onGranted(Granted event, Turn turn) {
        return this;
    }

    @Override
    default Phase onDeclined(Declined event, Turn turn) {
        return this;
    }

    @Override
    default Phase onAcquireUnknown(AcquireUnknown event, Turn turn) {
        return this;
    }

    @Override
    default Phase onReleased(Released event, Turn turn) {
        return this;
    }

    @Override
    default Phase onReleaseUnknown(long attempt, Turn turn) {
        return this;
    }

    @Override
    default Phase onReserved(long attempt, Turn turn) {
        return this;
    }

    @Override
    default Phase onReserveRefused(ReserveRefused event, Turn turn) {
        return this;
    }

    @Override
    default Phase onReserveUnknown(long attempt, Turn turn) {
        return this;
    }

    @Override
    default Phase onObserved(Observed event, Turn turn) {
        return this;
    }

    @Override
    default Phase onReconciled(Reconciled event, Turn turn) {
        return this;
    }

    @Override
    default Phase onSealed(Sealed event, Turn turn) {
        return this;
    }

    @Override
    default Phase onSealRefused(SealRefused event, Turn turn) {
        return this;
    }

    @Override
    default Phase onSealUnknown(SealUnknown event, Turn turn) {
        return this;
    }

    @Override
    default Phase onFenceRefused(FenceRefused event, Turn turn) {
        return this;
    }

    @Override
    default Phase onCallbackReturned(CallbackReturned event, Turn turn) {
        return this;
    }

    @Override
    default Phase onTimer(Timer timer, Turn turn) {
        return this;
    }
}
