package dev.signet.simulation;

/** The kinds of faults that befall a world by themselves, beside what its network does. */
enum Fault {
    PROCESS_PAUSED(0.6),
    HOST_SUSPENDED(0.5),
    LOOP_STARVED(0.4),
    PROCESS_CRASHED(0.5),
    WALL_CLOCK_SET(0.5),
    CUT_FROM_STORE(0.5),
    CUT_FROM_FENCES(0.4),
    STORE_STOPPED(0.4),
    FENCE_STOPPED(0.4),
    STORE_RESTORED(0.2),
    STORE_WIPED(0.05),
    STORE_CLONED(0.08),
    RESIGNED(0.5),
    TRANSFERRED(0.5),
    PROBE_FAILED(0.3),
    CANDIDATE_CLOSED(0.4),
    EXECUTOR_SHUT(0.2);

    private final double prevalence;

    Fault(double prevalence) {
        this.prevalence = prevalence;
    }

    /** In how many worlds it is found. */
    double prevalence() {
        return prevalence;
    }
}
