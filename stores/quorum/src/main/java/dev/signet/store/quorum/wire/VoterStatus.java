package dev.signet.store.quorum.wire;

import dev.signet.StoreId;
import java.util.Optional;

/**
 * How a voter stands, as far as it knows by itself: that it leads is its own opinion, which only a majority could confirm. For people.
 * Immutable.
 *
 * @param self who it is, and where it stands in Raft
 * @param witness whether it is to lead only if it must
 * @param leads whether it believes to lead, and is ready to
 * @param leader the id of the voter that leads, as far as this one knows
 * @param committedIndex of the last entry of the log that it knows a majority to have; -1 for none
 * @param appliedIndex of the last entry that is part of its state; -1 for none
 * @param sessions that live in its state, of all namespaces
 * @param roles that have a record in its state, of all namespaces
 */
public record VoterStatus(
        Peek self,
        boolean witness,
        boolean leads,
        Optional<String> leader,
        long committedIndex,
        long appliedIndex,
        int sessions,
        int roles) {

    public Optional<StoreId> storeId() {
        return self.storeId();
    }
}
