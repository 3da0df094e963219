package dev.signet;

/**
 * How a term ended. A term ends once.
 *
 * @param detail for people; may be empty
 */
public record TermEnd(Reason reason, String detail) {

    public static TermEnd because(Reason reason) {
        return new TermEnd(reason, "");
    }

    public enum Reason {
        /** By its holder's will, after its work had ended. */
        RESIGNED,
        /** In favour of a named successor. */
        TRANSFERRED,
        /** Its candidate was closed. */
        CLOSED,
        /** No renewal succeeded for {@code renewDeadline}, while the process was awake to try. */
        RENEW_DEADLINE,
        /** The store said that the session is gone. */
        SESSION_GONE,
        /** After a pause the store did not confirm the session in time. */
        UNCONFIRMED_AFTER_PAUSE,
        /** The store, asked what the session holds or watched, named another or nobody. */
        LOST_AT_STORE,
        /** A resource had been sealed for another term. */
        SUPERSEDED,
        /** A resource refused to be sealed for this term; it never led. */
        SEAL_REFUSED,
        /** Given up for a higher token, above what a resource had seen; it never led. */
        HEALED,
        /** Its preparation threw; it never led. */
        PREPARE_FAILED,
        /** The listener threw, or its executor took no more work. */
        LISTENER_FAILED,
        /** The application's own probe failed. */
        PROBE_FAILED,
        /** The work did not end within the bound for draining. */
        DRAIN_OVERRUN;

        /** Whether another may hold the role already: what still runs has to stop at once. */
        public boolean isLostAtStore() {
            return this == SESSION_GONE || this == LOST_AT_STORE || this == SUPERSEDED;
        }
    }

    @Override
    public String toString() {
        return detail.isEmpty() ? reason.name() : reason + " (" + detail + ")";
    }
}
