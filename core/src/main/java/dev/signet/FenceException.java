package dev.signet;

import org.jspecify.annotations.Nullable;

/** A fence could not be asked: no rights, no connection, a damaged database. {@link #outcome} says what became of the write. */
public final class FenceException extends SignetException {

    private static final long serialVersionUID = 1L;

    private final transient ResourceName resource;
    private final Outcome outcome;

    /** Nothing was written, and it takes a person to change that. */
    public FenceException(ResourceName resource, String message, @Nullable Throwable cause) {
        this(resource, message, cause, Outcome.FAILED);
    }

    public FenceException(ResourceName resource, String message, @Nullable Throwable cause, Outcome outcome) {
        super("fence of resource '" + resource + "': " + message, cause);
        this.resource = resource;
        this.outcome = outcome;
    }

    public ResourceName resource() {
        return resource;
    }

    public Outcome outcome() {
        return outcome;
    }

    /** What became of the write that went through the fence. */
    public enum Outcome {
        /** Nothing was written; trying again does not help until somebody mends what the message says. */
        FAILED,
        /** Nothing was written; roll back and run the whole transaction again. */
        RETRY,
        /** The commit was sent and its answer is unclear: it is written, or it is not. */
        UNKNOWN
    }
}
