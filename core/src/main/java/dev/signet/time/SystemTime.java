package dev.signet.time;

/** The clocks of the machine. */
final class SystemTime implements TimeSource {

    static final TimeSource INSTANCE = new SystemTime();

    private SystemTime() {}

    @Override
    public long monoNanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }
}
