package dev.signet;

/**
 * The application's own word on whether it works. A heartbeat proves that the process lives, not that it works: when a
 * check fails, this candidate resigns what it leads and lets others have it for a while.
 */
@FunctionalInterface
public interface Probe {

    /**
     * Returns if the application works. Called about every {@code retryPeriod} on the listeners' executor while a role
     * is prepared or led, one call at a time; may block. A call that has not returned after {@code renewDeadline} has failed.
     *
     * @throws Exception if it does not work
     */
    void check() throws Exception;
}
