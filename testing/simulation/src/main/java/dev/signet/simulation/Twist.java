package dev.signet.simulation;

import dev.signet.Answer;
import dev.signet.Stamp;
import dev.signet.TermId;
import dev.signet.election.role.RoleEvent;
import dev.signet.election.role.RoleMachine;
import dev.signet.election.role.RoleState;
import dev.signet.election.session.SessionEvent;
import dev.signet.election.session.SessionMachine;
import dev.signet.election.session.SessionState;
import dev.signet.fence.Refusal;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.Release;
import dev.signet.store.Renewed;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.time.Reading;
import java.util.Optional;

/**
 * Every place at which a {@link Mutant} may put a lie around the honest parts. Here nothing lies. A twist may remember
 * things of one run; it is made anew for each.
 */
class Twist {

    // The session machine

    /** @param suspendedNanos for how long, in all, the host has been suspended */
    Reading reads(Reading honest, long suspendedNanos) {
        return honest;
    }

    SessionMachine.Step steps(SessionMachine machine, SessionState before, SessionEvent event, Reading now) {
        return machine.step(before, event, now);
    }

    // The role machine

    RoleMachine.Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
        return RoleMachine.step(before, event, now, fresh);
    }

    // The runtime

    /** Whether an interrupted call is taken for one that has returned. */
    boolean takesInterruptForReturn() {
        return false;
    }

    boolean isValid(boolean beforeDeadline, boolean ended) {
        return beforeDeadline && !ended;
    }

    /** Whether the attempt that a question to the store is about is looked up when the answer is there. */
    boolean looksUpAttemptLate() {
        return false;
    }

    boolean isSealed(boolean honest) {
        return honest;
    }

    // Writers

    /** @param newest of the terms of the writer's process */
    Stamp stamps(Stamp decidedUnder, Stamp newest) {
        return decidedUnder;
    }

    // The store

    Acquire acquires(Acquire honest, RoleView record) {
        return honest;
    }

    Answer<Grant, NotGranted> acquired(Acquire request, Answer<Grant, NotGranted> honest) {
        return honest;
    }

    Release releases(Release honest, RoleView record) {
        return honest;
    }

    Answer<RoleView, SessionGone> released(Release request, Answer<RoleView, SessionGone> honest) {
        return honest;
    }

    Answer<Renewed, SessionGone> renewed(SessionId session, Answer<Renewed, SessionGone> honest) {
        return honest;
    }

    boolean forgetsReservations() {
        return false;
    }

    /** By how much the store takes its leases to be shorter than they are. */
    long shortensLeasesBy() {
        return 0;
    }

    // The fence

    Optional<Refusal> seals(Stamp stamp, Optional<Refusal> honest) {
        return honest;
    }

    /** How long after its check a write lands. */
    long landsAfter() {
        return 0;
    }

    Optional<Refusal> writes(Stamp stamp, Optional<Refusal> honest) {
        return honest;
    }
}
