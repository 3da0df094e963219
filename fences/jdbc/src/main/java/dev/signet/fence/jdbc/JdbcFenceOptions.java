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
 */
public record JdbcFenceOptions(Duration writeTimeout, long maxTokenJump) {

    public static final JdbcFenceOptions DEFAULTS = new JdbcFenceOptions(Duration.ofSeconds(5), 1_000_000);

    public JdbcFenceOptions {
        if (writeTimeout.isNegative() || writeTimeout.isZero()) {
            throw new IllegalArgumentException("writeTimeout " + writeTimeout + " is not positive");
        }
        if (maxTokenJump < 1) {
            throw new IllegalArgumentException("maxTokenJump " + maxTokenJump + " is below 1");
        }
    }

    public JdbcFenceOptions withWriteTimeout(Duration timeout) {
        return new JdbcFenceOptions(timeout, maxTokenJump);
    }

    public JdbcFenceOptions withMaxTokenJump(long jump) {
        return new JdbcFenceOptions(writeTimeout, jump);
    }
}
