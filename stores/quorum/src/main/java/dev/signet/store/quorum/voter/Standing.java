package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.state.Ledger;
import dev.signet.store.quorum.wire.Introduction;
import dev.signet.store.quorum.wire.Peek;
import dev.signet.store.quorum.wire.VoterStatus;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.LifeCycle;

/** What a voter says of itself. Thread-safe. */
final class Standing {

    private static final long NONE = -1;

    private final Supplier<Owner> owner;
    private final boolean witness;
    private final ReplicatedLedger ledger;
    private final Raft raft;

    /** This voter's part of the group. */
    interface Raft {
        RaftServer.Division division() throws IOException;
    }

    Standing(Supplier<Owner> owner, boolean witness, ReplicatedLedger ledger, Raft raft) {
        this.owner = owner;
        this.witness = witness;
        this.ledger = ledger;
        this.raft = raft;
    }

    private Optional<RaftServer.Division> division() {
        try {
            return Optional.of(raft.division());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    Peek peek() {
        return peek(division());
    }

    private Peek peek(Optional<RaftServer.Division> division) {
        Optional<DivisionInfo> info = division.map(RaftServer.Division::getInfo);
        return new Peek(
                owner.get().voter(),
                owner.get().group(),
                info.map(DivisionInfo::getCurrentTerm).orElse(NONE),
                info.filter(one -> one.getLifeCycleState() == LifeCycle.State.RUNNING)
                        .isPresent(),
                division.stream()
                        .flatMap(one -> one.getRaftConf().getCurrentPeers().stream())
                        .map(voter -> voter.getId().toString())
                        .collect(Collectors.toSet()),
                ledger.read(Ledger::storeId));
    }

    Introduction introduction() {
        Owner now = owner.get();
        return new Introduction(peek(), now.begun(), now.folders());
    }

    VoterStatus status() {
        Optional<RaftServer.Division> division = division();
        Optional<DivisionInfo> info = division.map(RaftServer.Division::getInfo);
        Peek self = peek(division);
        return ledger.read(held -> new VoterStatus(
                self,
                witness,
                self.running() && info.filter(DivisionInfo::isLeaderReady).isPresent(),
                info.map(DivisionInfo::getLeaderId).map(RaftPeerId::toString),
                division.map(one -> one.getRaftLog().getLastCommittedIndex()).orElse(NONE),
                info.map(DivisionInfo::getLastAppliedIndex).orElse(NONE),
                held.sessions().size(),
                held.roleCount()));
    }
}
