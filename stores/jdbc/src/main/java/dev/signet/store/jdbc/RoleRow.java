package dev.signet.store.jdbc;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.Holder;
import dev.signet.store.RoleView;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A role's record together with the sessions that it refers to.
 *
 * @param held by whom; it may be one whose session is gone
 * @param kept for whom, after a transfer
 */
record RoleRow(Role role, long version, long token, Optional<Held> held, Optional<Kept> kept) {

    static RoleRow absent(Role role) {
        return new RoleRow(role, 0, 0, Optional.empty(), Optional.empty());
    }

    /** @param session the lease of the holder's session; empty when the session is gone */
    record Held(
            long number,
            long attempt,
            TermId termId,
            CandidateId candidate,
            Advertised advertised,
            Optional<Lease> session) {}

    /** @param session the lease of the target's session; empty when the session is gone */
    record Kept(long number, CandidateId target, Lease window, Optional<Lease> session) {}

    boolean isHeldBy(SessionRow session) {
        return held.filter(holder -> holder.number() == session.number()).isPresent();
    }

    /** The same record, with the sessions that it refers to as they are now. */
    RoleRow withSessions(Map<Long, Lease> live) {
        return new RoleRow(
                role,
                version,
                token,
                held.map(holder -> new Held(
                        holder.number(),
                        holder.attempt(),
                        holder.termId(),
                        holder.candidate(),
                        holder.advertised(),
                        Optional.ofNullable(live.get(holder.number())))),
                kept.map(kept -> new Kept(
                        kept.number(), kept.target(), kept.window(), Optional.ofNullable(live.get(kept.number())))));
    }

    /** Whether nobody holds it: free, or named for one whose session is gone or could be ended now. */
    boolean isClaimable(Leases.Moment now) {
        return held.flatMap(Held::session).map(now::hasEnded).orElse(true);
    }

    /** The reservation, if it still binds. */
    Optional<Kept> keptNow(Leases.Moment now) {
        return kept.filter(kept -> !now.hasEnded(kept.window())
                && kept.session().map(lease -> !now.hasEnded(lease)).orElse(false));
    }

    RoleView view(Leases.Moment now) {
        boolean claimable = isClaimable(now);
        return new RoleView(
                role,
                version,
                token,
                held.map(holder -> new Holder(
                        holder.candidate(),
                        holder.advertised(),
                        FencingToken.of(token),
                        holder.termId().digest())),
                claimable,
                claimable
                        ? Optional.empty()
                        : held.flatMap(Held::session).map(lease -> nonNegative(now.remainingNanos(lease))),
                keptNow(now)
                        .map(kept -> new RoleView.Reservation(
                                kept.target(), nonNegative(now.remainingNanos(kept.window())))));
    }

    /** Until a lease or a window that it depends on ends, if nothing is written meanwhile; very long if none does. */
    long nanosUntilItsViewChanges(Leases.Moment now) {
        long lease = held.flatMap(Held::session)
                .map(now::remainingNanos)
                .filter(nanos -> nanos > 0)
                .orElse(Long.MAX_VALUE / 4);
        long window = keptNow(now)
                .map(kept -> Math.min(
                        now.remainingNanos(kept.window()),
                        kept.session().map(now::remainingNanos).orElse(Long.MAX_VALUE / 4)))
                .orElse(Long.MAX_VALUE / 4);
        return Math.min(lease, window);
    }

    private static Duration nonNegative(long nanos) {
        return Duration.ofNanos(Math.max(0, nanos));
    }
}
