package dev.signet.testkit;

import dev.signet.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Time that passes only when a test says so. It is the time of the world; each process in it has a {@link ManualHost},
 * which is given to that candidate as its clocks and its event loop, and which can be paused, suspended or have its wall
 * clock set while the world goes on.
 *
 * <pre>{@code
 * ManualTime time = new ManualTime();
 * MemoryServer server = new MemoryServer(time, time.host());
 * ManualHost ada = time.host();
 * …
 * time.advance(Duration.ofSeconds(15));
 * }</pre>
 *
 * <p>Tasks of all hosts run on the thread that calls {@link #advance}, one at a time, in the order of their time; those
 * of the same time in the order in which they were asked for. Each sees the clocks at its own time. Any thread may ask for
 * tasks; they run at the next advance, which may be {@link #settle one by nothing}.
 */
public final class ManualTime implements TimeSource {

    /** Far from zero, and a day before it overflows, as {@link System#nanoTime} may be. */
    static final long MONO_ORIGIN = Long.MAX_VALUE - Duration.ofDays(1).toNanos();

    private static final long WALL_ORIGIN =
            Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** How many tasks may run at one moment before they are said to make each other without end. */
    private static final int MOST_AT_ONCE = 1_000_000;

    private final Object monitor = new Object();
    private final List<ManualHost> hosts = new ArrayList<>();
    private volatile long elapsedNanos;
    private long lastSequence;
    private boolean advancing;

    /** A process of its own, with clocks that agree with the world's. */
    public ManualHost host() {
        synchronized (monitor) {
            ManualHost host = new ManualHost(this);
            hosts.add(host);
            return host;
        }
    }

    @Override
    public long monoNanos() {
        return MONO_ORIGIN + elapsedNanos;
    }

    @Override
    public long wallMillis() {
        return WALL_ORIGIN + elapsedNanos / NANOS_PER_MILLI;
    }

    /** Runs what is due now, and what that makes due. */
    public void settle() {
        advance(Duration.ZERO);
    }

    /**
     * Lets this much time pass, and runs what becomes due meanwhile.
     *
     * @throws IllegalArgumentException if {@code duration} is negative
     * @throws IllegalStateException if called by a task, or if the tasks never come to an end
     */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("time cannot pass by " + duration + "; it never goes back");
        }
        begin();
        try {
            runUntil(elapsedNanos + duration.toNanos());
        } finally {
            synchronized (monitor) {
                advancing = false;
            }
        }
    }

    private void begin() {
        synchronized (monitor) {
            if (advancing) {
                throw new IllegalStateException("time is being advanced already; a task cannot advance it");
            }
            advancing = true;
        }
    }

    private void runUntil(long untilNanos) {
        long momentNanos = elapsedNanos;
        int atOnce = 0;
        for (Optional<ManualHost.Task> next = takeDue(untilNanos); next.isPresent(); next = takeDue(untilNanos)) {
            atOnce = elapsedNanos == momentNanos ? atOnce + 1 : 0;
            momentNanos = elapsedNanos;
            if (atOnce == MOST_AT_ONCE) {
                throw new IllegalStateException(MOST_AT_ONCE + " tasks ran at one moment; they make each other");
            }
            next.get().run();
        }
        elapsedNanos = untilNanos;
    }

    /** The next task, with the clocks moved on to its time. */
    private Optional<ManualHost.Task> takeDue(long untilNanos) {
        synchronized (monitor) {
            Optional<ManualHost.Task> task = hosts.stream()
                    .map(ManualHost::next)
                    .flatMap(Optional::stream)
                    .min(ManualHost.Task.IN_THE_WORLD)
                    .filter(due -> due.inTheWorldNanos() <= untilNanos);
            task.ifPresent(due -> {
                due.cancel();
                elapsedNanos = Math.max(elapsedNanos, due.inTheWorldNanos());
            });
            return task;
        }
    }

    long elapsedNanos() {
        return elapsedNanos;
    }

    Object monitor() {
        return monitor;
    }

    long nextSequence() {
        return ++lastSequence;
    }
}
