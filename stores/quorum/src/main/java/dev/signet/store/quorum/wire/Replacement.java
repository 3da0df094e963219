package dev.signet.store.quorum.wire;

/**
 * One voter in the place of another. Immutable.
 *
 * @param old the id of the voter that is one no more
 * @param id of the one that takes its place; an id is never used again for another voter
 * @param address where that one listens
 */
public record Replacement(String old, String id, Address address) {}
