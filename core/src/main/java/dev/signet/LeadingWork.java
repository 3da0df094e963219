package dev.signet;

/**
 * Work that is done while leading, by {@link Candidate#runWhileLeading}.
 *
 * @param <T> what the work yields
 */
@FunctionalInterface
public interface LeadingWork<T> {

    /** Runs on the caller's thread, which is interrupted when the term ends. */
    T run(Term term) throws Exception;
}
