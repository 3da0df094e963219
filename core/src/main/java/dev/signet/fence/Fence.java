package dev.signet.fence;

import dev.signet.Answer;
import dev.signet.ResourceName;
import dev.signet.Stamp;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * One resource's fence, from the side of whoever leads: it raises it. Writers go by the adapter's own means, which check
 * and never raise.
 *
 * <p>After {@link #seal} was answered done, no write of another term with a lower or equal token commits at the
 * resource, at any isolation level, after any pause, on any retry, as long as the resource keeps its fence row.
 *
 * <p>Thread-safe. Calls do not block their caller; each stage completes normally within its time-out.
 */
public interface Fence {

    ResourceName resource();

    /**
     * Raises the fence to the stamp. Idempotent for the same stamp. An unknown answer may have raised it: harmless,
     * since a token that was granted is never granted again.
     */
    CompletionStage<Answer<FenceView, SealRefusal>> seal(Stamp stamp, Duration timeout);

    /** Looks without touching. */
    CompletionStage<Answer<FenceView, SealRefusal>> view(Duration timeout);
}
