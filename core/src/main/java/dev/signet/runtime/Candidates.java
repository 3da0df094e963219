package dev.signet.runtime;

import dev.signet.Candidate;
import dev.signet.lease.LeaseTiming;
import dev.signet.store.Store;
import java.time.Duration;

/** Where the front door reaches the runtime. */
public final class Candidates {

    private Candidates() {}

    /** @throws IllegalArgumentException if the store cannot keep leases of this timing */
    public static Candidate join(CandidateOptions options, Store store) {
        LeaseTiming timing = options.timing();
        Duration lease = timing.leaseDuration();
        if (store.traits().wholeSecondLeases() && !lease.equals(Duration.ofSeconds(lease.toSeconds()))) {
            throw new IllegalArgumentException("leaseDuration " + lease.toMillis() + " ms is not in whole seconds, as "
                    + store.traits().name() + " needs");
        }
        RunningCandidate candidate = new RunningCandidate(options, store);
        candidate.begin();
        return candidate;
    }
}
