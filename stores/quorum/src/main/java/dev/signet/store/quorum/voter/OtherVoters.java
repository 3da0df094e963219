package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.wire.Address;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftConfiguration;

/** The other voters of the group, as the one that leads needs them. Thread-safe. */
final class OtherVoters implements TermRounds.Voters {

    private static final Duration PEEK = Duration.ofMillis(500);

    private final Supplier<OwnRaft> raft;
    private final UUID group;
    private final Peers peers;

    /** @param raft asked for only once something is asked of the others */
    OtherVoters(Supplier<OwnRaft> raft, UUID group, Peers peers) {
        this.raft = raft;
        this.group = group;
        this.peers = peers;
    }

    /** While the voters are being changed nobody is sure, for the moment that this takes. */
    @Override
    public int majority() {
        try {
            RaftConfiguration voters = raft.get().division().getRaftConf();
            return voters.getPreviousPeers().isEmpty()
                    ? voters.getCurrentPeers().size() / 2 + 1
                    : Integer.MAX_VALUE;
        } catch (IOException e) {
            return Integer.MAX_VALUE;
        }
    }

    @Override
    public List<CompletableFuture<Long>> peek() {
        return all().stream().map(this::peek).toList();
    }

    private CompletableFuture<Long> peek(RaftPeer voter) {
        return peers.peek(Address.parse(voter.getAddress()), PEEK)
                .thenApply(peek -> peek.raftTermAs(voter.getId().toString(), group));
    }

    List<RaftPeer> all() {
        try {
            return raft.get().division().getRaftConf().getCurrentPeers().stream()
                    .filter(voter -> !voter.getId().equals(raft.get().server().getId()))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
