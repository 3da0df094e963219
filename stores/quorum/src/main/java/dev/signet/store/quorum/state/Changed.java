package dev.signet.store.quorum.state;

import dev.signet.Namespace;
import dev.signet.Role;
import java.util.Comparator;

/** A role whose {@link dev.signet.store.RoleView} is another than it was. Ordered by names. Immutable. */
public record Changed(Namespace namespace, Role role) implements Comparable<Changed> {

    private static final Comparator<Changed> ORDER = Comparator.<Changed, String>comparing(
                    changed -> changed.namespace().name())
            .thenComparing(Changed::role);

    @Override
    public int compareTo(Changed other) {
        return ORDER.compare(this, other);
    }
}
