package dev.signet.app.child;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Turns readings of a monotonic clock that stands still in a suspension ({@link System#nanoTime()}) into moments on the boot clock.
 *
 * <p>The two drift apart by exactly the time slept. A reading is therefore converted with a pair of readings taken <em>before</em> it:
 * a suspension after the reading is then counted in full. One between the pair and the reading makes the answer too early by its length,
 * which is the safe side, and stays so until the next {@link #sample()}. Whoever can should take a {@link BootInstant} before sending
 * instead: it is exact, always.
 *
 * <p>Safe for use by many threads. Remembers the last {@value #REMEMBERED} samples.
 */
public final class BootTimeline {
    private static final int REMEMBERED = 600;

    private record Sample(long monotonicNanos, BootInstant boot) {}

    private final BootClock boot;
    private final LongSupplier monotonicNanos;
    private final Deque<Sample> newestFirst = new ArrayDeque<>();

    public BootTimeline(BootClock boot, LongSupplier monotonicNanos) {
        this.boot = boot;
        this.monotonicNanos = monotonicNanos;
        sample();
    }

    /** Reads both clocks. Call it at least once before each reading that shall be converted: every 100 ms is cheap. */
    public synchronized void sample() {
        // boot first: a pause between the two makes the pair, and all that is converted with it, early
        BootInstant now = boot.now();
        newestFirst.addFirst(new Sample(monotonicNanos.getAsLong(), now));
        if (newestFirst.size() > REMEMBERED) {
            newestFirst.removeLast();
        }
    }

    /**
     * The boot clock at the time of the reading, or earlier.
     *
     * @throws IllegalArgumentException if the reading is older than every remembered sample
     */
    public synchronized BootInstant at(long readingNanos) {
        for (Sample sample : newestFirst) {
            long since = readingNanos - sample.monotonicNanos();
            // a sample of the same instant may have been taken after a suspension that began at this instant; the
            // oldest has no elder
            if (since > 0 || (since == 0 && sample.equals(newestFirst.getLast()))) {
                return sample.boot().plus(Duration.ofNanos(since));
            }
        }
        throw new IllegalArgumentException("reading " + readingNanos + " ns is older than the oldest sample, "
                + newestFirst.getLast().monotonicNanos() + " ns: sample before a renewal is sent");
    }
}
