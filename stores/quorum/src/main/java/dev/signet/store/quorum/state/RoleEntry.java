package dev.signet.store.quorum.state;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.Role;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.Holder;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import java.time.Duration;
import java.util.Optional;

/**
 * What is kept of a role for ever. Immutable.
 *
 * @param version counts its writes; 0 where there is none yet
 * @param holding of whoever was granted it last and has not released it; it stays when that session ends
 * @param kept for the target of a transfer, while its session lives
 */
record RoleEntry(Role role, long version, long lastToken, Optional<Holding> holding, Optional<Kept> kept) {

    static RoleEntry absent(Role role) {
        return new RoleEntry(role, 0, 0, Optional.empty(), Optional.empty());
    }

    RoleEntry granted(Holding next) {
        return new RoleEntry(role, version + 1, next.grant().token().value(), Optional.of(next), Optional.empty());
    }

    RoleEntry freed() {
        return new RoleEntry(role, version + 1, lastToken, Optional.empty(), kept);
    }

    RoleEntry touched() {
        return new RoleEntry(role, version + 1, lastToken, holding, kept);
    }

    /** No write: the record names its holder still, who holds it no longer. */
    RoleEntry abandoned() {
        return new RoleEntry(role, version, lastToken, holding.map(Holding::abandoned), kept);
    }

    RoleEntry keptFor(Kept next) {
        return new RoleEntry(role, version + 1, lastToken, holding, Optional.of(next));
    }

    RoleEntry open() {
        return new RoleEntry(role, version, lastToken, holding, Optional.empty());
    }

    boolean isClaimable() {
        return holding.flatMap(Holding::session).isEmpty();
    }

    boolean isKeptFrom(CandidateId candidate) {
        return kept.filter(other -> !other.target().equals(candidate)).isPresent();
    }

    RoleView view() {
        return new RoleView(
                role,
                version,
                lastToken,
                holding.map(Holding::holder),
                isClaimable(),
                Optional.empty(),
                kept.map(held -> new RoleView.Reservation(held.target(), held.window())));
    }

    /**
     * Who the candidate is, is copied here, since the record outlives the session.
     *
     * @param session empty once that session has ended
     */
    record Holding(Optional<SessionId> session, CandidateId candidate, Advertised advertised, Grant grant) {

        Holding abandoned() {
            return new Holding(Optional.empty(), candidate, advertised, grant);
        }

        Holder holder() {
            return new Holder(
                    candidate, advertised, grant.token(), grant.termId().digest());
        }
    }

    /**
     * A role kept for one session of a candidate.
     *
     * @param number the version of the record that made it
     */
    record Kept(CandidateId target, SessionId session, Duration window, long number) {}

    static boolean answers(Grant standing, Acquire request) {
        return standing.attempt() == request.attempt() && standing.termId().equals(request.termId());
    }
}
