package dev.signet;

/** A write was to be made under a term that is not valid here: it has ended, or is suspended. Nothing was written. */
public final class TermEndedException extends SignetException {

    private static final long serialVersionUID = 1L;

    private final transient Stamp stamp;
    private final boolean retryable;

    /** @param retryable whether the term is only suspended and may go on */
    public TermEndedException(Stamp stamp, boolean retryable) {
        super(
                "the term of role '" + stamp.role() + "' with token " + stamp.token()
                        + (retryable ? " is suspended; try again shortly" : " has ended; stop"),
                null);
        this.stamp = stamp;
        this.retryable = retryable;
    }

    public Stamp stamp() {
        return stamp;
    }

    public boolean isRetryable() {
        return retryable;
    }
}
