package dev.signet.store;

import dev.signet.CandidateId;
import dev.signet.Role;
import java.time.Duration;
import java.util.Optional;

/**
 * What anyone sees of a role's record. Immutable.
 *
 * @param version of the record; it rises with each write to it and is 0 where there is no record yet
 * @param lastToken the highest token ever granted, 0 before the first grant
 * @param holder whom the record names; it may name one whose session is gone, then {@code claimable} is true
 * @param claimable whether an acquire against this version could succeed now, reservations aside
 * @param claimableIn how long until that may become true by the passing of time, by the store's clock; empty where the
 *     store cannot say. A hint for when to look again: nothing safe rests on it
 * @param reservation for whom the role is kept after a transfer
 */
public record RoleView(
        Role role,
        long version,
        long lastToken,
        Optional<Holder> holder,
        boolean claimable,
        Optional<Duration> claimableIn,
        Optional<Reservation> reservation) {

    /** A role that the store has never heard of. */
    public static RoleView absent(Role role) {
        return new RoleView(role, 0, 0, Optional.empty(), true, Optional.empty(), Optional.empty());
    }

    /** Whether {@code candidate} could acquire the role against this version. */
    public boolean isOpenTo(CandidateId candidate) {
        return claimable
                && reservation.map(kept -> kept.target().equals(candidate)).orElse(true);
    }

    /** A role kept for {@code target} for the time that remains by the store's clock. */
    public record Reservation(CandidateId target, Duration remaining) {}
}
