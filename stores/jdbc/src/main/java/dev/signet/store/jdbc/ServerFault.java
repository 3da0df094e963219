package dev.signet.store.jdbc;

/** The faults of a server that last until somebody does something about them. */
enum ServerFault {
    NO_DATABASE,
    NO_TABLES,
    WRONG_TABLES,
    NOT_ADMITTED,
    NOT_TRUSTED,
    NOT_PERMITTED,
    READ_ONLY
}
