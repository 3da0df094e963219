package dev.signet.election.session;

import dev.signet.lease.LeaseTiming;
import dev.signet.time.Reading;
import java.util.List;

/**
 * The session machine: one per candidate and store, on whose one heartbeat all roles hang.
 *
 * <p>How it reasons:
 *
 * <ul>
 *   <li>A session is valid until {@code renewDeadline} after the <em>sending</em> of the last renewal that succeeded, on
 *       this process's own clocks, by the one that advanced more.
 *   <li>A deadline that passed while ticks came on time is lost, whatever answers arrive later: the store was out of
 *       reach, and nobody may be told afterwards that it was not.
 *   <li>A deadline that passed because the process could not run (the tick itself is late, or the wall clock leapt), or
 *       before a renewal begun on waking has had its full time, is <em>suspended</em>: nothing is valid, and one renewal
 *       begun after waking decides. Confirmed, the same session goes on; gone, unknown, or unanswered within one attempt,
 *       it is lost. An answer to a renewal sent before the pause proves nothing.
 *   <li>A lost session never comes back; another is opened, with new terms. The lost one is <em>not</em> closed at the
 *       store: whatever still runs under its terms has until the end of its lease to stop, and closing would hand its
 *       roles to others before that.
 * </ul>
 *
 * <p>A pure function: no I/O, clock, random, thread or log.
 */
public final class SessionMachine {

    private final LeaseTiming timing;

    public SessionMachine(LeaseTiming timing) {
        this.timing = timing;
    }

    public static SessionState initial() {
        return new Idle();
    }

    public Step step(SessionState state, SessionEvent event, Reading now) {
        SessionTurn turn = new SessionTurn(timing, now);
        SessionState next = event.applyTo(state, turn);
        return new Step(next, turn.effects());
    }

    /** @param effects in the order in which they are to be carried out */
    public record Step(SessionState state, List<SessionEffect> effects) {}
}
