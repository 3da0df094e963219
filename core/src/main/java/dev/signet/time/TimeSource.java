package dev.signet.time;

/**
 * The two clocks of a process. Thread-safe; neither call allocates, blocks or throws.
 *
 * <p>Tests replace it, together with the {@link EventLoop}, by the test kit's manual time.
 */
public interface TimeSource {

    /** The clocks of the machine. */
    static TimeSource system() {
        return SystemTime.INSTANCE;
    }

    /** Nanoseconds since an arbitrary origin, as {@link System#nanoTime()}. */
    long monoNanos();

    /** Milliseconds since 1970, as {@link System#currentTimeMillis()}. */
    long wallMillis();

    default Reading read() {
        return new Reading(monoNanos(), wallMillis());
    }
}
