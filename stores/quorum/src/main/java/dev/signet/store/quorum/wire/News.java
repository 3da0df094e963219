package dev.signet.store.quorum.wire;

import dev.signet.Namespace;
import dev.signet.store.RoleView;
import java.util.List;
import java.util.Optional;

/** What comes of watching. Immutable. */
public sealed interface News {

    /** How roles look now. */
    record Seen(Namespace namespace, List<RoleView> views) implements News {
        public Seen {
            views = List.copyOf(views);
        }
    }

    /** Nothing new, and the voter still leads as far as it knows. */
    record Quiet() implements News {}

    /** This voter does not lead; there is no more to come from it. */
    record Over(Optional<Address> leader) implements News {}
}
