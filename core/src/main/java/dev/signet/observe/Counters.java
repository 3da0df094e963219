package dev.signet.observe;

/** Counters of a candidate; kept in core, so that a lossy queue loses none. Thread-safe. */
public final class Counters {}
