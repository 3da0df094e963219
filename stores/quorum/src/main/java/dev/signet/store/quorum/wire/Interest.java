package dev.signet.store.quorum.wire;

import dev.signet.Namespace;
import dev.signet.Role;

/** A role that is watched from now on, or no more. Immutable. */
public record Interest(Namespace namespace, Role role, boolean watched) {}
