package dev.signet.runtime;

import dev.signet.Hint;
import dev.signet.election.role.Phase;
import dev.signet.store.Holder;
import dev.signet.store.RoleView;
import java.util.Optional;

/** Where a role stands, as other threads see it: published after each step. Immutable. */
record Standpoint(Phase.Kind phase, Optional<RunningTerm> term, Optional<RoleView> seen) {

    Optional<Hint> leader() {
        return seen.filter(view -> !view.claimable()).flatMap(RoleView::holder).map(Holder::hint);
    }
}
