package dev.signet;

import org.jspecify.annotations.Nullable;

/**
 * Work that is done while leading, by {@link Candidate#runWhileLeading}.
 *
 * @param <T> what the work yields
 */
@FunctionalInterface
public interface LeadingWork<T extends @Nullable Object> {

    /** Runs on the caller's thread, which is interrupted when the term ends. */
    T run(Term term) throws Exception;
}
