package dev.signet;

import java.time.Duration;
import java.util.Optional;

/** What the guard says of a privileged request. Immutable. */
public sealed interface Verdict {

    /** Decide the write under this term, and write with its stamp. */
    record Proceed(Term term) implements Verdict {}

    /**
     * Do not write here.
     *
     * @param hint who leads by the last that was seen; this candidate itself while it is suspended or preparing
     * @param retryAfter when to ask again
     */
    record Refuse(Why why, Optional<Hint> hint, Duration retryAfter) implements Verdict {}

    enum Why {
        /** Another leads, or nobody. */
        NOT_LEADING,
        /** This candidate was granted the role and is sealing or preparing. */
        NOT_READY,
        /** This candidate was paused and asks the store whether its term goes on. */
        SUSPENDED,
        /** This candidate is handing the role over; it takes no new work. */
        DRAINING
    }
}
