package dev.signet.store.quorum.wire;

import dev.signet.Namespace;
import dev.signet.Role;
import java.util.List;

/** Roles that are watched from now on, or no more. Immutable. */
public record Interest(Namespace namespace, List<Role> roles, boolean watched) {

    public Interest {
        roles = List.copyOf(roles);
    }
}
