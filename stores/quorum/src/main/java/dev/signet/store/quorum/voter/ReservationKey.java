package dev.signet.store.quorum.voter;

import dev.signet.Namespace;
import dev.signet.Role;

/** A reservation, and where it is. */
record ReservationKey(Namespace namespace, Role role, long reservation) {}
