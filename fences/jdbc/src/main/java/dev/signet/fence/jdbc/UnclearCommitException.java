package dev.signet.fence.jdbc;

import java.sql.SQLException;

/** The commit was sent, and it is unknown whether it took effect. */
final class UnclearCommitException extends SQLException {

    private static final long serialVersionUID = 1L;

    UnclearCommitException(SQLException cause) {
        super("the commit failed in a way that leaves open whether it took effect: " + cause.getMessage(), cause);
    }
}
