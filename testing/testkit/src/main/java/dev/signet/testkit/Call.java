package dev.signet.testkit;

/** The requests of a {@link dev.signet.store.Store} and of a fence, for a {@link Fault} to choose among. */
public enum Call {
    OPEN,
    RENEW,
    CLOSE,
    ENLIST,
    WITHDRAW,
    ACQUIRE,
    RELEASE,
    RESERVE,
    HELD,
    READ,
    ROLES,
    CANDIDATES,
    SEAL,
    VIEW
}
