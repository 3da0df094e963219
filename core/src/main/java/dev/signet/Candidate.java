package dev.signet;

import dev.signet.observe.Counters;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One process incarnation that may lead any number of roles in one store, on one session with one heartbeat. Made by
 * {@link Signet}. Thread-safe.
 */
public interface Candidate extends AutoCloseable {

    CandidateId id();

    /**
     * Begins to campaign for a role.
     *
     * @throws IllegalStateException if this candidate campaigns for the role already, or is closed
     */
    Election campaign(Role role, Protection protection, LeadershipListener listener);

    /**
     * Campaigns for a role, runs the work on this thread in the term that is won, resigns and releases, and returns
     * what the work yielded. Blocks until then. When the term ends before the work does, this thread is interrupted,
     * what the run yielded is dropped, and the work is run again in the next term.
     *
     * @throws InterruptedException if the caller itself is interrupted; the role has been released by then
     * @throws Exception what the work threw in a term that had not ended; the role has been released by then
     */
    <T extends @Nullable Object> T runWhileLeading(Role role, Protection protection, LeadingWork<T> work)
            throws Exception;

    /** The longest time by which the event loop was late since the candidate joined: a pause of this process. */
    Duration longestPause();

    Counters counters();

    /**
     * Closes all elections, as {@link Election#close} does, side by side, then the session. Bounded by the bound for
     * draining, the grace and one attempt. Idempotent. The store is not closed.
     *
     * <p>It does not wait on a thread that is interrupted, whose flag it keeps, nor inside a call of a listener of this
     * candidate; closing then goes on behind the scenes, for which the store must stay open.
     */
    @Override
    void close();
}
