package dev.signet.servers;

/** A server, or a program around it, did not do what it was told to; the message ends with the log of that server. */
public final class ServerException extends RuntimeException {

    private static final long serialVersionUID = 1;

    ServerException(String message) {
        super(message);
    }

    ServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
