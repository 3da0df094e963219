package dev.signet.store.quorum.voter;

/** A voter cannot be started; the message says why and what to do. */
public final class VoterException extends Exception {

    private static final long serialVersionUID = 1;

    VoterException(String message) {
        super(message);
    }

    VoterException(String message, Throwable cause) {
        super(message, cause);
    }
}
