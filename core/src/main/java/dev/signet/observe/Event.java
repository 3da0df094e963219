package dev.signet.observe;

import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.TermEnd;
import dev.signet.fence.Refusal;
import dev.signet.store.StoreRefusal;
import java.time.Duration;

/** Something that a person who runs a candidate may want to know. Immutable. */
public sealed interface Event {

    /** An event of one role. */
    sealed interface OfRole extends Event {
        Role role();
    }

    /** The term was granted; it does not lead yet. */
    record Granted(Role role, FencingToken token) implements OfRole {}

    record Sealed(Role role, FencingToken token, ResourceName resource) implements OfRole {}

    /** The term leads. */
    record Elected(Role role, FencingToken token) implements OfRole {}

    /** @param led whether the term had led */
    record Ended(Role role, FencingToken token, TermEnd end, boolean led) implements OfRole {}

    record SealRefused(Role role, FencingToken token, ResourceName resource, Refusal refusal, long highest)
            implements OfRole {}

    /** Tokens were skipped on purpose: a resource had seen {@code highest}, and the role was granted above it. */
    record TokensSkipped(Role role, FencingToken from, FencingToken to, String reason) implements OfRole {}

    /** Asks for action: a role cannot be led from here until somebody mends what {@code why} says. */
    record Alarm(Role role, String why) implements OfRole {}

    /** A grant that nobody here knew of was found at the store, and is being released. */
    record OrphanFound(Role role, FencingToken token) implements OfRole {}

    record ListenerFailed(Role role, FencingToken token, String cause) implements OfRole {}

    /** The listener of an ended term did not return within the grace; the role may be campaigned for again. */
    record ListenerOverran(Role role, FencingToken token, Duration grace) implements OfRole {}

    /** This candidate does not campaign for the role for a while. */
    record BackedOff(Role role, int failures, Duration delay) implements OfRole {}

    record Unfenced(Role role, String reason) implements OfRole {}

    record TransferRefused(Role role, String why) implements OfRole {}

    record SessionOpened() implements Event {}

    /** The process was paused past its deadline; all its terms are suspended. */
    record SessionSuspended(Duration late) implements Event {}

    /** The store confirmed the session after the pause; the same terms go on. */
    record SessionResumed(Duration suspended) implements Event {}

    record SessionLost(TermEnd.Reason reason) implements Event {}

    record SessionRefused(StoreRefusal refusal) implements Event {}

    /** No answer to a request for a session; it is asked for again. */
    record StoreUnreachable(String cause) implements Event {}

    /** The event loop ran this much late. */
    record Paused(Duration late) implements Event {}
}
