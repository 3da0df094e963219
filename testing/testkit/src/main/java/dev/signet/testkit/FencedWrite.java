package dev.signet.testkit;

import dev.signet.Stamp;

/** A write that a fence let through. Immutable. */
public record FencedWrite(Stamp stamp, String content) {}
