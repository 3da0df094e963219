package dev.signet.election.role;

/** The calls of a listener. */
public enum Callback {
    PREPARE,
    ELECTED,
    DEPOSED
}
