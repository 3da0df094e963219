package dev.signet.fence.jdbc;

/**
 * Whoever keeps a seal waiting.
 *
 * @param session by which the server knows it
 * @param description of the client, for whoever operates this; without what it wrote
 * @param canBeEnded false for what no longer has a session that could be
 */
record Blocker(long session, String description, boolean canBeEnded) {}
