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

    /** What it is counted under. */
    Counter counter();

    /** An event of one role. */
    sealed interface OfRole extends Event {
        Role role();
    }

    /** The term was granted; it does not lead yet. */
    record Granted(Role role, FencingToken token) implements OfRole {
        @Override
        public Counter counter() {
            return Counter.GRANTS;
        }
    }

    record Sealed(Role role, FencingToken token, ResourceName resource) implements OfRole {
        @Override
        public Counter counter() {
            return Counter.SEALS;
        }
    }

    /** The term leads. */
    record Elected(Role role, FencingToken token) implements OfRole {
        @Override
        public Counter counter() {
            return Counter.ELECTIONS;
        }
    }

    /** @param led whether the term had led */
    record Ended(Role role, FencingToken token, TermEnd end, boolean led) implements OfRole {
        @Override
        public Counter counter() {
            return Counter.ENDINGS;
        }
    }

    record SealRefused(Role role, FencingToken token, ResourceName resource, Refusal refusal, long highest)
            implements OfRole {
        @Override
        public Counter counter() {
            return Counter.SEALS_REFUSED;
        }
    }

    /** A resource has not said whether it is sealed; it is asked again. Told once per term and resource. */
    record SealUnanswered(Role role, FencingToken token, ResourceName resource, String cause) implements OfRole {
        @Override
        public Counter counter() {
            return Counter.SEALS_UNANSWERED;
        }
    }

    /** A write of this term was refused at a resource. */
    record WriteRefused(Role role, FencingToken token, ResourceName resource, Refusal refusal) implements OfRole {
        @Override
        public Counter counter() {
            return Counter.WRITES_REFUSED;
        }
    }

    /** Tokens were skipped on purpose: a resource had seen {@code highest}, and the role was granted above it. */
    record TokensSkipped(Role role, FencingToken from, FencingToken to, String reason) implements OfRole {
        @Override
        public Counter counter() {
            return Counter.TOKENS_SKIPPED;
        }
    }

    /** Asks for action: a role cannot be led from here until somebody mends what {@code why} says. */
    record Alarm(Role role, String why) implements OfRole {
        @Override
        public Counter counter() {
            return Counter.ALARMS;
        }
    }

    /** A grant that nobody here knew of was found at the store, and is being released. */
    record OrphanFound(Role role, FencingToken token) implements OfRole {
        @Override
        public Counter counter() {
            return Counter.ORPHANS;
        }
    }

    record ListenerFailed(Role role, FencingToken token, String cause) implements OfRole {
        @Override
        public Counter counter() {
            return Counter.LISTENER_FAILURES;
        }
    }

    /** The listener of an ended term did not return within the grace; the role may be campaigned for again. */
    record ListenerOverran(Role role, FencingToken token, Duration grace) implements OfRole {
        @Override
        public Counter counter() {
            return Counter.LISTENER_OVERRUNS;
        }
    }

    /** This candidate does not campaign for the role for a while. */
    record BackedOff(Role role, int failures, Duration delay) implements OfRole {
        @Override
        public Counter counter() {
            return Counter.BACK_OFFS;
        }
    }

    record Unfenced(Role role, String reason) implements OfRole {
        @Override
        public Counter counter() {
            return Counter.UNFENCED_ROLES;
        }
    }

    record TransferRefused(Role role, String why) implements OfRole {
        @Override
        public Counter counter() {
            return Counter.TRANSFERS_REFUSED;
        }
    }

    /** The role may be reserved for the successor, or passing on to it, or neither. */
    record TransferUnknown(Role role, String cause) implements OfRole {
        @Override
        public Counter counter() {
            return Counter.TRANSFERS_UNKNOWN;
        }
    }

    record SessionOpened() implements Event {
        @Override
        public Counter counter() {
            return Counter.SESSIONS_OPENED;
        }
    }

    /** The process was paused past its deadline; all its terms are suspended. */
    record SessionSuspended(Duration late) implements Event {
        @Override
        public Counter counter() {
            return Counter.SUSPENSIONS;
        }
    }

    /** The store confirmed the session after the pause; the same terms go on. */
    record SessionResumed(Duration suspended) implements Event {
        @Override
        public Counter counter() {
            return Counter.RESUMPTIONS;
        }
    }

    record SessionLost(TermEnd.Reason reason) implements Event {
        @Override
        public Counter counter() {
            return Counter.SESSIONS_LOST;
        }
    }

    record SessionRefused(StoreRefusal refusal) implements Event {
        @Override
        public Counter counter() {
            return Counter.STORE_FAULTS;
        }
    }

    /** No answer to a request for a session; it is asked for again. */
    record StoreUnreachable(String cause) implements Event {
        @Override
        public Counter counter() {
            return Counter.STORE_FAULTS;
        }
    }

    /** The event loop ran this much late. */
    record Paused(Duration late) implements Event {
        @Override
        public Counter counter() {
            return Counter.PAUSES;
        }
    }
}
