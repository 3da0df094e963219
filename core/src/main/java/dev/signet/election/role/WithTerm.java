package dev.signet.election.role;

import dev.signet.Answer;
import dev.signet.ResourceName;
import dev.signet.TermEnd;
import dev.signet.TermEnd.Reason;
import dev.signet.election.role.RoleEvent.AcquireUnknown;
import dev.signet.election.role.RoleEvent.CallbackReturned;
import dev.signet.election.role.RoleEvent.Declined;
import dev.signet.election.role.RoleEvent.FenceRefused;
import dev.signet.election.role.RoleEvent.Granted;
import dev.signet.election.role.RoleEvent.Observed;
import dev.signet.election.role.RoleEvent.Outcome;
import dev.signet.election.role.RoleEvent.Reconciled;
import dev.signet.election.role.RoleEvent.Released;
import dev.signet.election.role.RoleEvent.ReserveRefused;
import dev.signet.election.role.RoleEvent.SealRefused;
import dev.signet.election.role.RoleEvent.SealUnknown;
import dev.signet.election.role.RoleEvent.Sealed;
import dev.signet.election.role.RoleEvent.SessionLost;
import dev.signet.election.role.RoleEvent.Transfer;
import dev.signet.fence.Refusal;
import dev.signet.observe.Event;
import dev.signet.store.Grant;

/**
 * Phases that hold a term. An event changes the term's facts ({@link Tenure}); {@link #advance} then says which phase
 * follows from them. {@link Frozen} keeps the facts and does not advance.
 */
sealed interface WithTerm extends Phase permits Sealing, Preparing, Leading, Resigning, Frozen {

    Tenure tenure();

    /** The same phase with these facts. */
    WithTerm with(Tenure tenure);

    /** The phase that follows from the facts. */
    Phase advance(Turn turn);

    /** The term was asked to end, for a reason that leaves time for its work to end first. */
    Phase drain(Reason reason, Turn turn);

    @Override
    default long grantedAttempt() {
        return tenure().grant().attempt();
    }

    // The application

    @Override
    default Phase onCampaign(Turn turn) {
        return this;
    }

    @Override
    default Phase onResign(Turn turn) {
        return drain(Reason.RESIGNED, turn);
    }

    @Override
    default Phase onClose(Turn turn) {
        return drain(Reason.CLOSED, turn);
    }

    @Override
    default Phase onProbeFailed(Turn turn) {
        turn.backOff();
        return drain(Reason.PROBE_FAILED, turn);
    }

    @Override
    default Phase onTransfer(Transfer event, Turn turn) {
        turn.add(RoleEffect.ConcludeTransfer.refused(event.to(), "this candidate does not lead it yet"));
        return this;
    }

    @Override
    default Phase onCallbackReturned(CallbackReturned event, Turn turn) {
        if (!tenure().isOf(event.term())) {
            return this;
        }
        Tenure after = tenure().withReturned(event.callback());
        if (event.outcome() instanceof Outcome.Returned) {
            if (event.callback() == Callback.ELECTED) {
                turn.succeeded();
            }
            return with(event.callback() == Callback.PREPARE ? after.withPrepared() : after)
                    .advance(turn);
        }
        String cause = event.outcome() instanceof Outcome.Threw threw ? threw.cause() : "its executor takes no work";
        turn.emit(new Event.ListenerFailed(turn.plan().role(), tenure().token(), cause));
        turn.backOff();
        Reason reason = event.callback() == Callback.PREPARE ? Reason.PREPARE_FAILED : Reason.LISTENER_FAILED;
        return Ending.of(after, new TermEnd(reason, cause), turn);
    }

    // The session

    @Override
    default Phase onSessionLive(Turn turn) {
        return this;
    }

    @Override
    default Phase onSessionSuspended(Turn turn) {
        return new Frozen(this);
    }

    @Override
    default Phase onSessionResumed(Turn turn) {
        return this;
    }

    @Override
    default Phase onSessionLost(SessionLost event, Turn turn) {
        return Ending.of(tenure(), TermEnd.because(event.reason()), turn);
    }

    // The store

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
        return attempt == grantedAttempt() && turn.standing().transferTo().isPresent()
                ? drain(Reason.TRANSFERRED, turn)
                : this;
    }

    @Override
    default Phase onReserveRefused(ReserveRefused event, Turn turn) {
        turn.concludeTransfer(Answer.refused(
                switch (event.why()) {
                    case NOT_HOLDER -> "the store says that this term does not hold it";
                    case TARGET_NOT_CAMPAIGNING -> "it does not campaign for the role, or its session is over";
                }));
        return this;
    }

    @Override
    default Phase onReserveUnknown(long attempt, Turn turn) {
        turn.concludeTransfer(Answer.unknown("the store did not say whether it reserved the role"));
        return this;
    }

    @Override
    default Phase onObserved(Observed event, Turn turn) {
        if (tenure().isContradictedBy(event.view())) {
            return Ending.of(tenure(), new TermEnd(Reason.LOST_AT_STORE, "the watched record names another"), turn);
        }
        return tenure().isNamedBy(event.view())
                ? with(tenure().withVersion(event.view().version()))
                : this;
    }

    @Override
    default Phase onReconciled(Reconciled event, Turn turn) {
        boolean asked = event.grantedAttempt() == grantedAttempt();
        boolean agrees = event.held().map(Grant::termId).filter(tenure()::isOf).isPresent();
        if (!asked || agrees) {
            return this;
        }
        return Ending.of(tenure(), new TermEnd(Reason.LOST_AT_STORE, "the session does not hold it"), turn);
    }

    // The fences

    @Override
    default Phase onSealed(Sealed event, Turn turn) {
        if (!tenure().isOf(event.term())) {
            return this;
        }
        turn.emit(new Event.Sealed(turn.plan().role(), tenure().token(), event.resource()));
        return with(tenure().withSealed(event.resource())).advance(turn);
    }

    @Override
    default Phase onSealUnknown(SealUnknown event, Turn turn) {
        if (tenure().isOf(event.term())) {
            turn.schedule(new Timer.Reseal(event.resource()), turn.soon());
        }
        return this;
    }

    /** After sealing there is no healing: the resource stays refused to this term, and is tried again. */
    @Override
    default Phase onSealRefused(SealRefused event, Turn turn) {
        if (!tenure().isOf(event.term())) {
            return this;
        }
        reportSealRefused(event, turn);
        turn.schedule(new Timer.Reseal(event.resource()), turn.plan().timing().leaseDuration());
        return this;
    }

    default void reportSealRefused(SealRefused event, Turn turn) {
        turn.emit(new Event.SealRefused(
                turn.plan().role(),
                tenure().token(),
                event.resource(),
                event.refusal().refusal(),
                event.refusal().highest()));
    }

    @Override
    default Phase onFenceRefused(FenceRefused event, Turn turn) {
        if (!tenure().isOf(event.term())) {
            return this;
        }
        if (event.refusal().supersedes()) {
            String detail = "resource " + event.resource() + " answered " + event.refusal();
            return Ending.of(tenure(), new TermEnd(Reason.SUPERSEDED, detail), turn);
        }
        if (event.refusal() == Refusal.UNSEALED && tenure().sealed().contains(event.resource())) {
            // it has forgotten: adopted, or restored from a backup, since
            seal(event.resource(), turn);
            return with(tenure().withoutSealed(event.resource()));
        }
        if (event.refusal() != Refusal.UNSEALED) {
            turn.emit(new Event.Alarm(
                    turn.plan().role(), "resource " + event.resource() + " answered " + event.refusal()));
        }
        return this;
    }

    @Override
    default Phase onTimer(Timer timer, Turn turn) {
        if (timer instanceof Timer.Reseal reseal && !tenure().sealed().contains(reseal.resource())) {
            seal(reseal.resource(), turn);
        }
        return this;
    }

    default void seal(ResourceName resource, Turn turn) {
        turn.add(new RoleEffect.SendSeal(resource, tenure().grant().stamp()));
    }
}
