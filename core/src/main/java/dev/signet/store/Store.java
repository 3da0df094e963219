package dev.signet.store;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Role;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Where leadership is decided. A store keeps, per role, a <em>role record</em> (token, term id, holder's session,
 * reservation) that lasts for ever, and per candidate a <em>session record</em> that expires unless it is renewed.
 *
 * <p>What every store promises, and the contract kit checks on it:
 *
 * <ul>
 *   <li>tokens of a role rise by exactly one per grant, over release, expiry, crash and restart; only a floor skips;
 *   <li>a role is granted to another only after the holder released it, or after a full recorded lease has passed since
 *       the last renewal that the store accepted. Expiry is a write to the session's own record, conditional on its not
 *       having been renewed, and a takeover is conditional on that write;
 *   <li>after the expiry was recorded, a renewal is answered {@link SessionGone};
 *   <li>each call's stage completes within its time-out, normally, with one of the three cases of {@link Answer}; it
 *       neither hangs nor guesses, and it never completes exceptionally for a fault of the store.
 * </ul>
 *
 * <p>Thread-safe. No call blocks its caller. Requests may be delivered late or twice; see {@link Acquire} and
 * {@link Release} for what makes that harmless.
 */
public interface Store extends AutoCloseable {

    StoreTraits traits();

    CompletionStage<Answer<Opened, StoreRefusal>> open(OpenSession request, Duration timeout);

    /** One heartbeat for all the roles of the session. */
    CompletionStage<Answer<Renewed, SessionGone>> renew(SessionId session, Duration timeout);

    /** Ends the session and frees all its roles. Idempotent; done also if there is no such session. */
    CompletionStage<Answer<Concluded, SessionGone>> close(SessionId session, Duration timeout);

    /** Says that the session's candidate campaigns for the role, so that it can be a transfer's target. Idempotent. */
    CompletionStage<Answer<RoleView, SessionGone>> enlist(SessionId session, Role role, Duration timeout);

    /** Takes {@link #enlist} back. Idempotent; done also if there is no such session. */
    CompletionStage<Answer<Concluded, SessionGone>> withdraw(SessionId session, Role role, Duration timeout);

    CompletionStage<Answer<Grant, NotGranted>> acquire(Acquire request, Duration timeout);

    /** Never refused while the store answers: done means that what {@link Release} says holds. */
    CompletionStage<Answer<RoleView, SessionGone>> release(Release request, Duration timeout);

    CompletionStage<Answer<RoleView, NotReserved>> reserve(Reserve request, Duration timeout);

    /** What the session holds, as the store has it. */
    CompletionStage<Answer<List<Grant>, SessionGone>> held(SessionId session, Duration timeout);

    CompletionStage<Answer<RoleView, StoreRefusal>> read(Role role, Duration timeout);

    /** All roles that have a record, in the order of their names. */
    CompletionStage<Answer<List<RoleView>, StoreRefusal>> roles(Duration timeout);

    /**
     * Who campaigns for the role, each once, in no order: whom {@link #reserve} takes for a target, whoever holds the role
     * included.
     */
    CompletionStage<Answer<List<CandidateId>, StoreRefusal>> candidates(Role role, Duration timeout);

    /** Begins to watch; the observer hears the present record first. Any number of watches of a role may run. */
    Watch watch(Role role, WatchObserver observer);

    /** Frees connections and threads and breaks watches silently; sessions are left to expire. Idempotent. */
    @Override
    void close();
}
