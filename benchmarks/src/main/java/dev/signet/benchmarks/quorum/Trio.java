package dev.signet.benchmarks.quorum;

import java.util.List;

/** Three servers that decide together, each a process, forcing to the disk what they acknowledge. */
interface Trio extends AutoCloseable {

    /** Where a contender finds them. */
    String place();

    List<ProcessHandle> processes();

    /** Of the log that they share; -1 where nobody is asked. */
    default long entries() {
        return -1;
    }

    /** Ends them, and removes what they wrote. */
    @Override
    void close();
}
