package dev.signet.store.jdbc;

/**
 * A span of time as it stands in the database: a session's lease, or the window of a reservation.
 *
 * @param of what it is the lease of
 * @param renewals changes each time that the span begins anew
 * @param spanNanos its whole length
 * @param bootId of the clock that {@code endsAtNanos} was read on
 */
record Lease(String of, long renewals, long spanNanos, String bootId, long endsAtNanos) {}
