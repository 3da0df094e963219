package dev.signet;

/**
 * What an application does with a term. The calls for one role come one at a time, in order, on the executor that the
 * candidate was given, never on the thread that renews: they may block.
 *
 * <p>When a term ends its {@link Term#ended} completes first, then the thread still inside {@link #prepare} or
 * {@link #onElected} is interrupted. The candidate does not campaign for the role again before all calls of the old term
 * have returned. After a grace this is reported, and what it still holds is released for others.
 */
public interface LeadershipListener {

    /**
     * Catch up, promote, replay: what must be done after every required resource was sealed and before the first
     * write is let in. Returning is what lets the term lead. Throwing releases the role, with a back-off. There is no
     * bound: a preparation that never returns keeps the role from others while this process lives, unless a {@link Probe}
     * fails.
     */
    default void prepare(Term term) throws Exception {}

    /**
     * The term leads. May return at once and let the work go on elsewhere, which then heeds {@link Term#draining} and
     * {@link Term#ended}, or stay until the work is done. Returning does not end the term; throwing resigns it, with a
     * back-off.
     */
    void onElected(Term term) throws Exception;

    /** The term is over. Called once for each {@link #onElected} that was called, after it has returned. */
    default void onDeposed(Term term, TermEnd end) {}
}
