package dev.signet.benchmarks.contest;

import dev.signet.benchmarks.resource.ResourceClient;
import java.util.List;

/** One way to elect leaders as one process uses it. Tells of each role that it comes to lead. Thread-safe. */
public interface Contender extends AutoCloseable {

    /** What it tells of. */
    @FunctionalInterface
    interface Elected {
        void leads(String role);

        /**
         * A renewal was accepted.
         *
         * @param sinceMicros of the wall clock: the lease lasts from then on, or longer
         * @param tookMicros from the request to the answer; 0 where nobody can tell
         */
        default void renewed(long sinceMicros, long tookMicros) {}
    }

    /** Begins to campaign, and goes on until it is told otherwise. */
    void campaign(List<String> roles);

    /** Takes what is free, as fast as it can be done, and does not care for it further. May block. */
    void take(List<String> roles);

    /** Begins to campaign, or does so again, and writes to the resource while it leads. */
    default void lead(String role, ResourceClient resource) {
        throw new UnsupportedOperationException("lead");
    }

    /** Hands what it leads to the one of that {@link #name()}, and goes on to campaign for it. */
    default void transfer(String role, String successor) {
        throw new UnsupportedOperationException("transfer");
    }

    /** By which others know it; empty if they need not. */
    default String name() {
        return "";
    }

    /** Gives up in good order what it leads, and campaigns no more for it. */
    void resign(String role);

    /** Ends the process's part in it. */
    @Override
    void close();
}
