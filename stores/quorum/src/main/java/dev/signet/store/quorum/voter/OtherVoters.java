package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.wire.Address;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The other voters of the group, as the one that leads needs them. Thread-safe. */
final class OtherVoters implements TermRounds.Voters {

    private static final Logger LOG = LoggerFactory.getLogger(OtherVoters.class);

    private static final Duration PEEK = Duration.ofMillis(500);
    private static final Duration HAND_OVER = Duration.ofSeconds(3);
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

    private List<RaftPeer> all() {
        try {
            return raft.get().division().getRaftConf().getCurrentPeers().stream()
                    .filter(voter -> !voter.getId().equals(raft.get().server().getId()))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Has one of them lead instead, one that answers; within a few seconds, or not. */
    void handOver() {
        try {
            Optional<RaftPeer> successor = firstThatAnswers();
            if (successor.isEmpty()) {
                LOG.info("no other voter answers, so the leadership of the quorum is not handed over");
                return;
            }
            var unused = raft.get()
                    .server()
                    .transferLeadershipAsync(new TransferLeadershipRequest(
                            ClientId.randomId(),
                            raft.get().server().getId(),
                            raft.get().group(),
                            0,
                            successor.get().getId(),
                            HAND_OVER.toMillis()))
                    .get(HAND_OVER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException | ExecutionException | TimeoutException e) {
            LOG.info("the leadership of the quorum was not handed over; cause={}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<RaftPeer> firstThatAnswers() throws InterruptedException {
        List<RaftPeer> others = all();
        List<CompletableFuture<Long>> answers = others.stream().map(this::peek).toList();
        for (int i = 0; i < others.size(); i++) {
            try {
                if (answers.get(i).get(PEEK.toMillis(), TimeUnit.MILLISECONDS) >= 0) {
                    return Optional.of(others.get(i));
                }
            } catch (ExecutionException | TimeoutException e) {
                LOG.debug("voter {} does not answer", others.get(i).getId(), e);
            }
        }
        return Optional.empty();
    }
}
