package dev.signet.election.role;

import dev.signet.ResourceName;

/** What a role machine waits for. Of equal timers at most one runs: scheduling one again replaces it. */
public sealed interface Timer {

    /** The back-off after a failure has passed. */
    record BackOff() implements Timer {}

    /** Ask again with the same attempt. */
    record Reacquire() implements Timer {}

    record Rerelease() implements Timer {}

    record Reseal(ResourceName resource) implements Timer {}

    record Rewatch() implements Timer {}

    /** The bound for draining has passed. */
    record Drain() implements Timer {}

    /** The grace of an ended term's listener has passed. */
    record Grace() implements Timer {}
}
