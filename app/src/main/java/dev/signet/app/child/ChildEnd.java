package dev.signet.app.child;

import java.util.List;

/**
 * How a command ended.
 *
 * @param exitCode the command's own, or 128 + n if signal n ended it
 * @param by who was the first to end it
 * @param survivors processes of it that outlived ten seconds of KILL: run by another user, or stuck in the kernel. While there are any,
 *     the role must not be released; let the lease run out
 */
public record ChildEnd(int exitCode, By by, List<Long> survivors) {

    /** Who was the first to end a command. */
    public enum By {
        /** It ended by itself. */
        ITSELF,
        /** Asked for with {@link GuardedChild#terminate} or {@link GuardedChild#kill}. */
        SIGNET,
        /** The guard killed it because a deadline had passed. */
        GUARD,
        /** Killed because its guard was lost. */
        LOST_GUARD
    }

    public ChildEnd {
        survivors = List.copyOf(survivors);
    }
}
