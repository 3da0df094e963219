package dev.signet.fence.jdbc;

import java.time.Duration;

/**
 * How a fence waits, and what it believes. Immutable.
 *
 * @param writeTimeout how long {@link JdbcFence#inTransaction} and the administrative calls wait while the database is
 *     busy with others; the work itself is not bounded
 * @param maxTokenJump how far above the highest token a seal may go. Tokens rise by one per change of leader, so that a
 *     million of them is half a year at one change every 15 s; a higher one is a token gone wrong, which would keep
 *     every later term out. Layouts shared with other systems, whose tokens are revisions, need more
 * @param longestIdle how long a fenced transaction may stand still between two statements before the database server ends
 *     it, and its connection with it: a process that is stopped inside one holds its successor's seal up for no longer.
 *     As long as a term lasts without a renewal is right; work that thinks for longer between two statements needs more.
 *     Rounded up to what the server counts in, whole seconds on MariaDB. Without effect where the database is a file
 * @param admission when a fenced transaction is checked: before its work, or on PostgreSQL at the commit, for less time and
 *     with less known beforehand
 */
public record JdbcFenceOptions(Duration writeTimeout, long maxTokenJump, Duration longestIdle, Admission admission) {

    /** The renewal deadline that a candidate has by default. */
    private static final Duration DEFAULT_IDLE = Duration.ofSeconds(10);

    /** A longer one is no bound any more. */
    private static final Duration MOST_IDLE = Duration.ofDays(1);

    public static final JdbcFenceOptions DEFAULTS =
            new JdbcFenceOptions(Duration.ofSeconds(5), 1_000_000, DEFAULT_IDLE, Admission.BEFORE_WORK);

    public JdbcFenceOptions {
        if (writeTimeout.isNegative() || writeTimeout.isZero()) {
            throw new IllegalArgumentException("writeTimeout " + writeTimeout + " is not positive");
        }
        if (maxTokenJump < 1) {
            throw new IllegalArgumentException("maxTokenJump " + maxTokenJump + " is below 1");
        }
        if (longestIdle.isNegative() || longestIdle.isZero() || longestIdle.compareTo(MOST_IDLE) > 0) {
            throw new IllegalArgumentException(
                    "longestIdle " + longestIdle + " is not between a moment and " + MOST_IDLE.toHours() + " hours");
        }
    }

    public JdbcFenceOptions withWriteTimeout(Duration timeout) {
        return new JdbcFenceOptions(timeout, maxTokenJump, longestIdle, admission);
    }

    public JdbcFenceOptions withMaxTokenJump(long jump) {
        return new JdbcFenceOptions(writeTimeout, jump, longestIdle, admission);
    }

    public JdbcFenceOptions withLongestIdle(Duration idle) {
        return new JdbcFenceOptions(writeTimeout, maxTokenJump, idle, admission);
    }

    /** {@link Admission#AT_COMMIT} is for PostgreSQL; with it, a fence on any other database refuses to do anything. */
    public JdbcFenceOptions withAdmission(Admission when) {
        return new JdbcFenceOptions(writeTimeout, maxTokenJump, longestIdle, when);
    }
}
