package dev.signet.store.jdbc;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a database server, as this process reads it with each transaction. Thread-safe.
 *
 * <p>Leases are kept on it, and somebody may set it. Between two readings it must move as this process's own clock does; where
 * it did not, it was set, and no lease counts as ended by it until a whole lease has passed here: by then each holder that
 * lives has renewed on the clock as it is now. Another run of a server counts as that too: nobody has seen what was done to
 * the clock of the first when it is met again.
 */
final class ServerClock {

    /** Beyond this, and a twentieth of the time between two readings, it has not drifted but was set. */
    private static final long TOLERANCE_NANOS = 500_000_000;

    private final LongSupplier ownNanos;
    private @Nullable Reading last;
    private boolean stepped;
    private long steadySinceNanos;

    ServerClock(LongSupplier ownNanos) {
        this.ownNanos = ownNanos;
    }

    long ownNanos() {
        return ownNanos.getAsLong();
    }

    /**
     * @param bootId of the run of the server that was asked
     * @param serverNanos what it answered
     * @param askedNanos when it was asked, on {@link #ownNanos()}
     */
    synchronized LeaseClock read(String bootId, long serverNanos, long askedNanos) {
        Reading reading = new Reading(bootId, serverNanos, askedNanos, ownNanos());
        Reading before = last;
        if (before != null && !(before.bootId.equals(bootId) && before.allows(reading))) {
            stepped = true;
            steadySinceNanos = reading.answeredNanos;
        }
        if (before == null || reading.answeredNanos - before.answeredNanos >= 0) {
            last = reading;
        }
        return reading;
    }

    private synchronized long steadyNanos() {
        return stepped ? ownNanos() - steadySinceNanos : Long.MAX_VALUE;
    }

    /** One look at the clock, and what it must show since. */
    private final class Reading implements LeaseClock {

        private final String bootId;
        private final long serverNanos;
        private final long askedNanos;
        private final long answeredNanos;

        Reading(String bootId, long serverNanos, long askedNanos, long answeredNanos) {
            this.bootId = bootId;
            this.serverNanos = serverNanos;
            this.askedNanos = askedNanos;
            this.answeredNanos = answeredNanos;
        }

        /** The server read its clock at some moment between asking and answer, in either case. */
        boolean allows(Reading next) {
            long slack = TOLERANCE_NANOS + Math.abs(next.answeredNanos - answeredNanos) / 20;
            long moved = next.serverNanos - serverNanos;
            return moved >= next.askedNanos - answeredNanos - slack && moved <= next.answeredNanos - askedNanos + slack;
        }

        @Override
        public String bootId() {
            return bootId;
        }

        @Override
        public long nanos() {
            return serverNanos + ownNanos() - answeredNanos;
        }

        @Override
        public long resolutionNanos() {
            return answeredNanos - askedNanos;
        }

        @Override
        public long ownNanos() {
            return ServerClock.this.ownNanos();
        }

        @Override
        public long steadyNanos() {
            return ServerClock.this.steadyNanos();
        }
    }
}
