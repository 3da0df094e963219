package dev.signet.store.jdbc;

/** The clock on which a database keeps its leases, as one connection knows it. */
interface LeaseClock {

    /** Names this run of the clock: moments of two runs do not compare. */
    String bootId();

    /** Never ahead of the clock itself. */
    long nanos();

    /** By how much {@link #nanos()} may lag behind the clock. */
    long resolutionNanos();

    /** A clock of this process, which nobody sets: only differences of it mean something. */
    long ownNanos();

    /** For how long, on {@link #ownNanos()}, the clock has been seen to run evenly. */
    long steadyNanos();

    /** A clock that nobody can set. */
    static LeaseClock of(HostClock clock) {
        return new LeaseClock() {
            @Override
            public String bootId() {
                return clock.bootId();
            }

            @Override
            public long nanos() {
                return clock.nanos();
            }

            @Override
            public long resolutionNanos() {
                return clock.resolutionNanos();
            }

            @Override
            public long ownNanos() {
                return clock.nanos();
            }

            @Override
            public long steadyNanos() {
                return Long.MAX_VALUE;
            }
        };
    }
}
