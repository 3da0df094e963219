package dev.signet.store.jdbc;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A host clock that the test moves. */
final class ManualClock implements HostClock {

    private final String bootId;
    private final AtomicLong nanos = new AtomicLong(Duration.ofHours(1).toNanos());

    ManualClock(String bootId) {
        this.bootId = bootId;
    }

    @Override
    public String bootId() {
        return bootId;
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public long resolutionNanos() {
        return 10_000_000;
    }

    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
