package dev.signet.election.role;

import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.TermEnd;
import dev.signet.TermId;
import dev.signet.observe.Event;
import dev.signet.store.Grant;
import java.time.Duration;
import java.util.Optional;

/** What a role machine asks of the runtime, in order. */
public sealed interface RoleEffect {

    /** Acquire on the session of {@code epoch}. */
    record SendAcquire(long epoch, long attempt, TermId termId, long floor, long expectedVersion)
            implements RoleEffect {}

    record SendRelease(long epoch, long attempt, long expectedVersion) implements RoleEffect {}

    record SendReserve(long epoch, long attempt, CandidateId to, Duration window) implements RoleEffect {}

    /** Say at the store that this candidate campaigns, on the session of {@code epoch}; what it answers is observed. */
    record Enlist(long epoch) implements RoleEffect {}

    record Withdraw(long epoch) implements RoleEffect {}

    /** Watch the role's record, from now on or anew. */
    record Watch() implements RoleEffect {}

    record Unwatch() implements RoleEffect {}

    record SendSeal(ResourceName resource, Stamp stamp) implements RoleEffect {}

    /** Make the term known to the listener, and prepare. */
    record CallPrepare(Grant grant) implements RoleEffect {}

    record CallElected(FencingToken token) implements RoleEffect {}

    record CallDeposed(FencingToken token, TermEnd end) implements RoleEffect {}

    /** Complete {@code term.draining()}. */
    record SignalDraining(FencingToken token, TermEnd.Reason reason) implements RoleEffect {}

    /**
     * The term is over: invalid from here on, {@code term.ended()} completes, then a thread inside its listener is
     * interrupted. Before everything else of the same step that the application could see.
     */
    record EndTerm(FencingToken token, TermEnd end) implements RoleEffect {}

    /** Tell who asked for a transfer how it ended; empty if the role was released in its favour. */
    record ConcludeTransfer(CandidateId to, Optional<String> refused) implements RoleEffect {}

    record Schedule(Timer timer, Duration delay) implements RoleEffect {}

    record Cancel(Timer timer) implements RoleEffect {}

    record Emit(Event event) implements RoleEffect {}

    /** This machine has closed; nothing more will come. */
    record Finished() implements RoleEffect {}
}
