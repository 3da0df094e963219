package dev.signet.store.jdbc;

/** The faults of a server that last until somebody does something about them. */
enum ServerFault {
    NO_TABLES,
    WRONG_TABLES,
    NOT_PERMITTED,
    READ_ONLY
}
