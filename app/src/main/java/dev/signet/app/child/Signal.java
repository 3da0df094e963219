package dev.signet.app.child;

/** The four signals that a command's processes get. */
enum Signal {
    TERM,
    STOP,
    CONT,
    KILL
}
