package dev.signet;

/**
 * What a privileged write carries and a fence compares: the token of the term in which the write was decided, with the
 * term's id and its store's. It does not say whether that term is still the current one; only the fence knows.
 * Immutable; {@link #toString()} shows the digest of the term id.
 */
public record Stamp(Role role, FencingToken token, TermId termId, StoreId storeId) {}
