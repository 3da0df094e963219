package dev.signet.election.role;

import java.util.Optional;

/** Where a role machine stands: what it remembers whatever happens, and the phase it is in. */
public record RoleState(Standing standing, Phase phase) {

    /** The attempt of the grant that is held, 0 if none: what a question to the store is about. */
    public long grantedAttempt() {
        return phase.grantedAttempt();
    }

    /** The facts of the term that is held; empty without one, and once it is over. */
    public Optional<Tenure> tenure() {
        return phase instanceof WithTerm held ? Optional.of(held.tenure()) : Optional.empty();
    }
}
