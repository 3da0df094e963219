package dev.signet.store;

/** A watch that is running. */
public interface Watch extends AutoCloseable {

    /** Ends it without a further call, but for one that is under way. Idempotent, never blocks. */
    @Override
    void close();
}
