package dev.signet.app.child;

import java.time.Duration;

/**
 * A moment on the boot clock of this host, which starts at boot and, unlike {@link System#nanoTime()}, also runs while the host is
 * suspended. Means nothing on another host or after another boot. Immutable.
 *
 * @param hundredths hundredths of a second since boot: the resolution of {@code /proc/uptime}
 */
public record BootInstant(long hundredths) implements Comparable<BootInstant> {
    private static final int NANOS_PER_HUNDREDTH = 10_000_000;

    public BootInstant {
        if (hundredths < 0) {
            throw new IllegalArgumentException("hundredths = " + hundredths + ": the boot clock starts at 0");
        }
    }

    /** Rounded down, so that a deadline counted from here comes early rather than late; never before boot. */
    public BootInstant plus(Duration duration) {
        return new BootInstant(Math.max(0, hundredths + Math.floorDiv(duration.toNanos(), NANOS_PER_HUNDREDTH)));
    }

    /** Rounded down; never before boot. */
    public BootInstant minus(Duration duration) {
        return plus(duration.negated());
    }

    /** From {@code earlier} to this; negative if this is the earlier one. */
    public Duration since(BootInstant earlier) {
        return Duration.ofMillis(10 * (hundredths - earlier.hundredths));
    }

    @Override
    public int compareTo(BootInstant other) {
        return Long.compare(hundredths, other.hundredths);
    }
}
