package dev.signet.app.child;

import java.util.List;

/** The processes that a command consists of: itself and whatever it started, as far as this host can tell. */
sealed interface Kin permits ProcessGroup, ProcessTree {

    /** Sends the signal to each of them. Blocks for some milliseconds. Sending to none is no error. */
    void signal(Signal signal);

    /** The pids of those alive. Empty means that nothing of the command can act any more. Blocks for some milliseconds. */
    List<Long> living();
}
