package dev.signet.testkit;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.Role;
import dev.signet.store.Grant;
import dev.signet.store.Holder;
import dev.signet.store.SessionId;
import java.util.Optional;

/**
 * What the reference store keeps of a role for ever. Immutable; each change is a new version.
 *
 * @param holding of whoever was granted it last and has not released it; it stays when that session ends
 */
record RoleRecord(Role role, long version, long lastToken, Optional<Holding> holding) {

    static RoleRecord absent(Role role) {
        return new RoleRecord(role, 0, 0, Optional.empty());
    }

    RoleRecord granted(Holding next) {
        return new RoleRecord(role, version + 1, next.grant().token().value(), Optional.of(next));
    }

    RoleRecord freed() {
        return new RoleRecord(role, version + 1, lastToken, Optional.empty());
    }

    RoleRecord touched() {
        return new RoleRecord(role, version + 1, lastToken, holding);
    }

    /** Who the candidate is, is copied here, since the record outlives the session. */
    record Holding(SessionId session, CandidateId candidate, Advertised advertised, Grant grant) {

        Holder holder() {
            return new Holder(
                    candidate, advertised, grant.token(), grant.termId().digest());
        }
    }

    /** A role kept for the target of a transfer, while {@code session}, the target's, lives. */
    record Kept(CandidateId target, SessionId session, long untilNanos) {}
}
