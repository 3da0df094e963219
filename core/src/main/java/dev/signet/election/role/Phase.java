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
 * Where a role stands. Each phase says what each event does to it, by itself or with its group ({@link WithoutTerm},
 * {@link WithTerm}); a pair that is missing does not compile.
 */
public sealed interface Phase permits WithoutTerm, WithTerm, Ending {

    /** For people, for the guard and for tests. */
    Kind kind();

    /** The attempt of the grant that is held; 0 if none. */
    long grantedAttempt();

    Phase onCampaign(Turn turn);

    Phase onResign(Turn turn);

    Phase onTransfer(Transfer event, Turn turn);

    Phase onClose(Turn turn);

    Phase onProbeFailed(Turn turn);

    Phase onSessionLive(Turn turn);

    Phase onSessionSuspended(Turn turn);

    Phase onSessionResumed(Turn turn);

    Phase onSessionLost(SessionLost event, Turn turn);

    Phase onGranted(Granted event, Turn turn);

    Phase onDeclined(Declined event, Turn turn);

    Phase onAcquireUnknown(AcquireUnknown event, Turn turn);

    Phase onReleased(Released event, Turn turn);

    Phase onReleaseUnknown(long attempt, Turn turn);

    Phase onReserved(long attempt, Turn turn);

    Phase onReserveRefused(ReserveRefused event, Turn turn);

    Phase onReserveUnknown(long attempt, Turn turn);

    Phase onObserved(Observed event, Turn turn);

    Phase onReconciled(Reconciled event, Turn turn);

    Phase onSealed(Sealed event, Turn turn);

    Phase onSealRefused(SealRefused event, Turn turn);

    Phase onSealUnknown(SealUnknown event, Turn turn);

    Phase onFenceRefused(FenceRefused event, Turn turn);

    Phase onCallbackReturned(CallbackReturned event, Turn turn);

    Phase onTimer(Timer timer, Turn turn);

    /** The names of the phases. */
    enum Kind {
        /** Does not campaign. */
        IDLE,
        /** Campaigns; another leads, or there is no session. */
        WAITING,
        /** Asked for the role, not answered. */
        ACQUIRING,
        /** Granted; raising fences. */
        SEALING,
        /** Every required resource is sealed; the application catches up. */
        PREPARING,
        /** Leads. */
        LEADING,
        /** Holds a term while the session is suspended: nothing is valid, nothing is over. */
        FROZEN,
        /** Asked to end; its work drains under a valid term. */
        RESIGNING,
        /** Gives the role back, or makes sure that an unanswered acquire comes to nothing. */
        RELEASING,
        /** The term is over; its listener has not returned. */
        ENDING,
        /** Nothing more will come. */
        CLOSED
    }
}
