package dev.signet.store;

/** Why a reservation was refused; nothing has changed. */
public enum NotReserved {
    /** The session does not hold the role by that attempt. */
    NOT_HOLDER,
    /** No live session of the target campaigns for this role. */
    TARGET_NOT_CAMPAIGNING
}
