package dev.signet.store;

/**
 * Why a store cannot be used, or does not open a session.
 *
 * @param message for people: what is wrong and what to do
 */
public record StoreRefusal(Kind kind, String message) {

    public enum Kind {
        /** It was never set up; {@code signet init} does that. */
        NOT_INITIALISED,
        /** Its layout is of a newer or an unknown version. */
        OTHER_VERSION,
        /** It is not a store of ours, or it is damaged. */
        FOREIGN_OR_CORRUPT,
        /** It is there, but this user may not use it. */
        NOT_PERMITTED,
        /** It can be read only, such as the replica of another. */
        READ_ONLY,
        /** It lies where it cannot be kept safely, such as on a network file system. */
        UNSUITABLE_PLACE,
        /** There is no room left to write in. */
        NO_SPACE,
        /** It did not answer, and may later. Only what blocks says so: elsewhere that is <em>unknown</em>. */
        UNREACHABLE,
        /** It cannot keep a lease of this length. */
        LEASE_OUT_OF_RANGE,
        /** This session was open and is over: this is a copy of an old request, or an id that was used before. */
        SESSION_ENDED
    }
}
