package dev.signet.app.run;

import dev.signet.Protection;
import dev.signet.Role;
import dev.signet.app.child.ChildCommand;
import dev.signet.app.child.GuardSettings;
import dev.signet.lease.LeaseTiming;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * What is to be run, and how. Immutable.
 *
 * @param name of the candidate, to which each incarnation adds a suffix of its own
 * @param hookTimeout the longest that {@code onElected} and {@code onDeposed} may take each
 */
record RunPlan(
        Role role,
        String name,
        Optional<URI> advertise,
        Protection protection,
        LeaseTiming timing,
        GuardSettings guard,
        OnLost onLost,
        ChildCommand command,
        Optional<ChildCommand> onElected,
        Optional<ChildCommand> onDeposed,
        Duration hookTimeout) {

    /** What ends a command at the latest after its KILL was sent, with a margin. */
    private static final Duration SLOWEST_END = Duration.ofSeconds(15);

    /** How long the work may take to end when it is asked to. */
    Duration drain() {
        return guard.stop().onResign().plus(SLOWEST_END);
    }

    /** How long the listener of a term that is over may take to return. */
    Duration grace() {
        return drain().plus(hookTimeout).plus(SLOWEST_END);
    }
}
