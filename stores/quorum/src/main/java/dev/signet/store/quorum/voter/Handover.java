package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.VoterStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the leadership of the quorum to a voter that is known to be ready: a transfer to one that is away stops all writes until it is
 * given up. Asks first, therefore, and gives it to nobody where nobody is ready. Thread-safe.
 *
 * <p>A witness that leads steps aside for any other that is ready. Not by Raft's priorities: those are part of what all voters have
 * agreed on, and a flag of one of them would change nothing.
 */
final class Handover {

    private static final Logger LOG = LoggerFactory.getLogger(Handover.class);

    private static final Duration ASK = Duration.ofMillis(500);

    /** Of the log that the leader knows to be decided: it is brought up before it leads. */
    private static final long NEAR = 1_000;

    /** So often a witness looks at most: a transfer that fails holds up writes. */
    static final Duration INTERVAL = Duration.ofSeconds(10);

    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final Standing self;
    private final Supplier<OwnRaft> raft;
    private final OtherVoters voters;
    private final Peers peers;

    /** @param raft asked for only once there is something to hand over */
    Handover(Standing self, Supplier<OwnRaft> raft, OtherVoters voters, Peers peers) {
        this.self = self;
        this.raft = raft;
        this.voters = voters;
        this.peers = peers;
    }

    /** Of a witness: looks whether it is to step aside. Does not block. */
    void stepAside() {
        VoterStatus own = self.status();
        if (own.leads() && own.witness()) {
            var unused = others().thenAccept(others -> successor(own, others)
                    .filter(other -> !other.witness())
                    .ifPresent(other -> {
                        var unusedOutcome = transfer(other);
                    }));
        }
    }

    /** Before this voter ends. Blocks for a few seconds at most. */
    void now() {
        VoterStatus own = self.status();
        try {
            others().thenCompose(others -> successor(own, others)
                            .map(this::transfer)
                            .orElseGet(() -> CompletableFuture.completedFuture("no other voter is ready")))
                    .get(LIMIT.multipliedBy(2).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.info("the leadership of the quorum was not handed over; cause={}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Optional<VoterStatus> successor(VoterStatus own, List<VoterStatus> others) {
        return others.stream()
                .filter(other -> other.self().running()
                        && other.self().raftTerm() == own.self().raftTerm()
                        && other.appliedIndex() >= Math.max(0, own.committedIndex() - NEAR))
                .max(Comparator.<VoterStatus, Boolean>comparing(other -> !other.witness())
                        .thenComparing(VoterStatus::appliedIndex));
    }

    /** Those that answer, and are of this quorum. */
    private CompletableFuture<List<VoterStatus>> others() {
        List<CompletableFuture<Optional<VoterStatus>>> asked =
                voters.all().stream().map(this::ask).toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(all -> asked.stream()
                        .flatMap(one -> one.join().stream())
                        .filter(other -> other.self().group().equals(self.peek().group()))
                        .toList());
    }

    private CompletableFuture<Optional<VoterStatus>> ask(RaftPeer peer) {
        return peers.status(Address.parse(peer.getAddress()), ASK)
                .handle((status, fault) -> Optional.ofNullable(status));
    }

    /** What came of it, for people. */
    private CompletableFuture<String> transfer(VoterStatus successor) {
        try {
            OwnRaft own = raft.get();
            return own.server()
                    .transferLeadershipAsync(new TransferLeadershipRequest(
                            ClientId.randomId(),
                            own.server().getId(),
                            own.group(),
                            0,
                            RaftPeerId.valueOf(successor.self().voter()),
                            LIMIT.toMillis()))
                    .handle((reply, fault) -> told(successor, reply, fault));
        } catch (IOException e) {
            return CompletableFuture.completedFuture(told(successor, null, e));
        }
    }

    private static String told(VoterStatus successor, @Nullable RaftClientReply reply, @Nullable Throwable fault) {
        String name = successor.self().voter();
        boolean done = fault == null && reply != null && reply.isSuccess();
        String told = done ? "done" : String.valueOf(fault == null && reply != null ? reply.getException() : fault);
        LOG.info("the leadership of the quorum is handed over; successor={} outcome={}", name, told);
        return told;
    }
}
