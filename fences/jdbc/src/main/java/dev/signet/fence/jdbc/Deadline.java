package dev.signet.fence.jdbc;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * The end of a wait on the monotonic clock, and the one way in which this module waits for a busy database.
 *
 * <p>It asks again within a fraction of a millisecond, jittered. SQLite's own busy handler backs off to 100 ms and never
 * queues, so that under load whoever has waited longest asks least often: with it, a seal starved for seconds.
 */
record Deadline(long nanoTime) {

    private static final long LONGEST_NANOS = Duration.ofDays(1).toNanos();

    /** How often who writes asks again: about as long as a commit takes. */
    static final long PATIENT_NANOS = 250_000;

    /** How often a seal does. Nobody queues for SQLite's lock, so who asks more often is served sooner. */
    static final long EAGER_NANOS = 75_000;

    static Deadline in(Duration wait) {
        boolean longest = wait.compareTo(Duration.ofNanos(LONGEST_NANOS)) > 0;
        long nanos = wait.isNegative() ? 0 : longest ? LONGEST_NANOS : wait.toNanos();
        return new Deadline(System.nanoTime() + nanos);
    }

    /** 0 once it has passed. */
    long nanosLeft() {
        return Math.max(0, nanoTime - System.nanoTime());
    }

    Deadline earlierBy(long nanos) {
        return new Deadline(nanoTime - nanos);
    }

    boolean hasPassed() {
        return System.nanoTime() - nanoTime >= 0;
    }

    /** Runs the statement, again and again while it fails as busy; at least once. */
    void retry(Statement statement, Predicate<SQLException> busy, long pauseNanos) throws SQLException {
        Supply<Boolean> supply = () -> {
            statement.run();
            return true;
        };
        boolean unused = get(supply, busy, pauseNanos);
    }

    /** The same for what has a result. */
    <T> T get(Supply<T> supply, Predicate<SQLException> busy, long pauseNanos) throws SQLException {
        while (true) {
            try {
                return supply.get();
            } catch (SQLException e) {
                if (!busy.test(e) || hasPassed()) {
                    throw e;
                }
                if (Thread.currentThread().isInterrupted()) {
                    throw new SQLTimeoutException("interrupted while it waited for a busy database", e);
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(pauseNanos / 2, pauseNanos * 3 / 2));
            }
        }
    }

    interface Supply<T> {
        T get() throws SQLException;
    }

    interface Statement {
        void run() throws SQLException;
    }
}
