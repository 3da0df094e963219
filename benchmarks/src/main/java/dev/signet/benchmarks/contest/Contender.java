package dev.signet.benchmarks.contest;

import java.util.List;

/** One way to elect leaders as one process uses it. Tells of each role that it comes to lead. Thread-safe. */
public interface Contender extends AutoCloseable {

    /** What it tells of. */
    @FunctionalInterface
    interface Elected {
        void leads(String role);
    }

    /** Begins to campaign, and goes on until it is told otherwise. */
    void campaign(List<String> roles);

    /** Takes what is free, as fast as it can be done, and does not care for it further. May block. */
    void take(List<String> roles);

    /** Gives up in good order what it leads, and campaigns no more for it. */
    void resign(String role);

    /** Ends the process's part in it. */
    @Override
    void close();
}
