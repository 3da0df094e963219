package dev.signet.store;

/**
 * Why an acquire was refused, and the record as it is now.
 *
 * @param view what to decide the next attempt on
 */
public record NotGranted(Reason reason, RoleView view) {

    public enum Reason {
        /** Another holds it, or it is reserved for another. */
        HELD,
        /** The record has another version than the request was decided on, or this attempt was refused before. */
        MOVED,
        /** The session of the request is gone; its candidate has to open another. */
        SESSION_GONE,
        /** This attempt, or a later one of this session, was released. */
        RELEASED,
        /** The next token would be above 2<sup>53</sup>−1. */
        TOKENS_EXHAUSTED
    }
}
