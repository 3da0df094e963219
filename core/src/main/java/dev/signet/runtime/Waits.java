package dev.signet.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Bounded waits of those who close. */
final class Waits {

    private static final Logger LOG = LoggerFactory.getLogger(Waits.class);

    private Waits() {}

    /** Waits for it to complete; gives up when the bound has passed, or, keeping the flag, when interrupted. */
    static void upTo(Duration bound, CompletableFuture<?> future) {
        try {
            future.get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn("closing took longer than {} ms; what is left ends with the lease", bound.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("these futures do not fail", e);
        }
    }
}
