package dev.signet.store.jdbc;

/**
 * A clock that all processes of one running host read alike, whatever happens to the wall clock, and that also runs while
 * the host is suspended. Thread-safe.
 *
 * <p>A moment on it means something only together with {@link #bootId()}: the same number on another boot, on another host
 * or in another time namespace is another moment.
 */
public interface HostClock {

    /**
     * Of the host that this process runs on. On Linux the boot clock, as {@code /proc/uptime} shows it. Elsewhere Java has no
     * view of such a clock: there each process has a boot id of its own, so that the records of others are judged by
     * watching them for a whole lease, and a role changes hands later, never earlier.
     */
    static HostClock system() {
        return SystemClock.INSTANCE;
    }

    /** Names this run of this host's clock. Never changes within a process. */
    String bootId();

    /** Nanoseconds since the host was started, time in suspension included; never goes back. */
    long nanos();

    /** By how much {@link #nanos()} may lag behind the moment at which it is read. */
    long resolutionNanos();
}
