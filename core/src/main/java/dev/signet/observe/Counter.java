package dev.signet.observe;

/** What a candidate counts. */
public enum Counter {
    GRANTS,
    ELECTIONS,
    ENDINGS,
    SUSPENSIONS,
    RESUMPTIONS,
    SESSIONS_OPENED,
    SESSIONS_LOST,
    PAUSES,
    SEALS,
    SEALS_REFUSED,
    /** Terms and resources of which one was asked to be sealed and, at least once, did not answer. */
    SEALS_UNANSWERED,
    /** Writes that a fence refused. */
    WRITES_REFUSED,
    TOKENS_SKIPPED,
    ORPHANS,
    LISTENER_FAILURES,
    LISTENER_OVERRUNS,
    BACK_OFFS,
    ALARMS,
    UNFENCED_ROLES,
    TRANSFERS_REFUSED,
    TRANSFERS_UNKNOWN,
    STORE_FAULTS,
    /** Events that observers were too slow to hear. */
    EVENTS_DROPPED
}
