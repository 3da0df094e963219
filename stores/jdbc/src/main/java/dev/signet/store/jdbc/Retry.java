package dev.signet.store.jdbc;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * How long to wait before asking again for a lock that another process has: about 200 µs, jittered, and never longer. All
 * who wait ask equally often, so the oldest has no worse a chance than the newest; with waits that grow, it has.
 */
final class Retry {

    private static final long SHORTEST_NANOS = 100_000;
    private static final long LONGEST_NANOS = 300_000;

    private Retry() {}

    static void pause() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(SHORTEST_NANOS, LONGEST_NANOS));
    }
}
