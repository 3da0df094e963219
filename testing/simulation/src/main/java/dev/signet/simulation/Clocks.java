package dev.signet.simulation;

import dev.signet.time.Reading;

/**
 * The two clocks of one host. Each runs at a rate of its own; the wall clock can be set; while the host is suspended the
 * monotonic clock stands still and the wall clock goes on.
 */
final class Clocks {

    private final double monoRate;
    private final double wallRate;
    private long since;
    private long monoNanos;
    private long wallNanos;
    private boolean suspended;
    private long suspendedInAll;
    private long setsBack;

    Clocks(double monoRate, double wallRate, long monoNanos, long wallNanos) {
        this.monoRate = monoRate;
        this.wallRate = wallRate;
        this.monoNanos = monoNanos;
        this.wallNanos = wallNanos;
    }

    Reading read(long now) {
        return new Reading(mono(now), Math.floorDiv(wallNanos + (long) ((now - since) * wallRate), Agenda.MILLI));
    }

    long mono(long now) {
        return suspended ? monoNanos : monoNanos + (long) ((now - since) * monoRate);
    }

    /** How long, in true time, until the monotonic clock has moved on by {@code nanos}, if it does not stand still. */
    long trueTimeFor(long nanos) {
        return (long) Math.ceil(nanos / monoRate);
    }

    boolean isSuspended() {
        return suspended;
    }

    void setWall(long byMillis, long now) {
        settle(now);
        wallNanos += byMillis * Agenda.MILLI;
        setsBack += byMillis < 0 ? 1 : 0;
    }

    void suspend(long now) {
        settle(now);
        suspended = true;
    }

    void resume(long now) {
        settle(now);
        suspended = false;
    }

    /** For how long the host has been suspended. */
    long suspendedInAll(long now) {
        return suspendedInAll + (suspended ? now - since : 0);
    }

    private void settle(long now) {
        long mono = mono(now);
        suspendedInAll += suspended ? now - since : 0;
        wallNanos += (long) ((now - since) * wallRate);
        monoNanos = mono;
        since = now;
    }

    /** How often the wall clock has been set back. */
    long setsBack() {
        return setsBack;
    }
}
