package dev.signet.store.quorum.state;

/** These bytes are not what they should be; the message says what is wrong with them, without secrets. */
public final class Unreadable extends Exception {

    private static final long serialVersionUID = 1L;

    public Unreadable(String message) {
        super(message);
    }

    public Unreadable(String message, Throwable cause) {
        super(message, cause);
    }
}
