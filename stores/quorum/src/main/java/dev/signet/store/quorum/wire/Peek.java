package dev.signet.store.quorum.wire;

import dev.signet.StoreId;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What a voter says of itself to another. Immutable.
 *
 * @param group of the quorum that it was set up for
 * @param raftTerm that it is in
 * @param running whether its Raft server is
 * @param voters the ids of those who vote, as far as it knows
 * @param storeId of the store that it has heard of
 */
public record Peek(
        String voter, UUID group, long raftTerm, boolean running, Set<String> voters, Optional<StoreId> storeId) {

    public Peek {
        voters = Set.copyOf(voters);
    }

    /**
     * The Raft term that this voter of this quorum is in; -1 if it is another, or takes no part. At the address of a voter may by now
     * be one that took its place.
     */
    public long raftTermAs(String asked, UUID of) {
        return running && voter.equals(asked) && group.equals(of) ? raftTerm : -1;
    }
}
