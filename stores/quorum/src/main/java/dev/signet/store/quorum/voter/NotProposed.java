package dev.signet.store.quorum.voter;

import java.io.IOException;

/** A command that is not in the log, and will not be. */
final class NotProposed extends IOException {

    private static final long serialVersionUID = 1;

    NotProposed(String message) {
        super(message);
    }

    NotProposed(Throwable cause) {
        super(cause.getMessage(), cause);
    }
}
