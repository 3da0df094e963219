package dev.signet.app.run;

/** How a run came to its end. */
sealed interface RunEnd {

    /** The command ended by itself. */
    record Exited(int exitCode) implements RunEnd {}

    /** Leadership was lost, or given up because the command could not be guarded, and the command is gone. */
    record Lost(String why) implements RunEnd {}

    /** Signet was told to end, and the command has been brought to its end. */
    record Drained() implements RunEnd {}

    /** Processes of the command outlived KILL: the role is not given to anybody before the lease is over. */
    record Stuck(String survivors) implements RunEnd {}
}
