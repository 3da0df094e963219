package dev.signet.runtime;

import dev.signet.time.Reading;
import dev.signet.time.TimeSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Until when the terms of one session are valid: one volatile, written by the event loop, read by everybody. */
final class Validity {

    private final TimeSource time;
    private volatile @Nullable Reading deadline;

    Validity(TimeSource time) {
        this.time = time;
    }

    void publish(Reading next) {
        deadline = next;
    }

    void withdraw() {
        deadline = null;
    }

    Optional<Reading> deadline() {
        return Optional.ofNullable(deadline);
    }

    /** Neither clock has reached the deadline. */
    boolean holds() {
        Reading until = deadline;
        return until != null && time.monoNanos() - until.monoNanos() < 0 && time.wallMillis() < until.wallMillis();
    }
}
