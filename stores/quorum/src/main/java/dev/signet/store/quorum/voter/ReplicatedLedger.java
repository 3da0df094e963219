package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.state.Changed;
import dev.signet.store.quorum.state.Codec;
import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Ledger;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.state.Unreadable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger as Raft keeps it: entry by entry from the log, or whole from a snapshot. Beside it, while this voter leads, the clock of
 * its Raft term. All of both is read and changed under one lock.
 *
 * <p>It never throws for what an entry says: Raft would close each voter that met the entry, and again after each start.
 */
class ReplicatedLedger extends BaseStateMachine {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicatedLedger.class);

    /** What a voter wants to hear of. Called by Raft's threads, not under the lock; must not block. */
    interface Listener {

        /** These roles may look different now. */
        void changed(List<Changed> roles);

        void leadsNoMore();

        /** There has been no leader for a while. */
        void withoutLeader();

        /** Raft closed this voter. */
        void closed();

        void logFailed(Throwable cause);
    }

    private final SnapshotFiles snapshots = new SnapshotFiles();
    private final LongSupplier nanos;
    private final Listener listener;
    private Ledger ledger = new Ledger();
    /** Changed under the lock. */
    private volatile @Nullable LeaderClock clock;

    ReplicatedLedger(LongSupplier nanos, Listener listener) {
        this.nanos = nanos;
        this.listener = listener;
    }

    // What the voter asks

    /** Under the lock. */
    synchronized <T> T read(Function<Ledger, T> question) {
        return question.apply(ledger);
    }

    /** What the leader of this Raft term answers, under the lock; empty if this voter is not it. */
    synchronized <T> Optional<T> asLeader(long raftTerm, Function<Led, T> question) {
        return clock == null || clock.raftTerm() != raftTerm
                ? Optional.empty()
                : Optional.of(question.apply(new Led(ledger, clock, nanos.getAsLong())));
    }

    /** The Raft term in which this voter leads, and is ready to. Does not wait for what is being applied. */
    Optional<Long> raftTerm() {
        return Optional.ofNullable(clock).map(LeaderClock::raftTerm);
    }

    /** The ledger and the leader's clock, at one moment. */
    record Led(Ledger ledger, LeaderClock clock, long nowNanos) {}

    // What Raft tells

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage) throws IOException {
        super.initialize(server, group, storage);
        snapshots.begin(storage);
        load();
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    /** Before a snapshot of the leader's takes the place of what is here. */
    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    @Override
    public void reinitialize() throws IOException {
        load();
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    private void load() throws IOException {
        Optional<SnapshotFiles.Found> found = snapshots.newest();
        if (found.isEmpty()) {
            return;
        }
        try {
            Ledger restored = Ledger.restore(found.get().content());
            synchronized (this) {
                ledger = restored;
                setLastAppliedTermIndex(found.get().at());
            }
        } catch (Unreadable e) {
            throw new IOException("the snapshot " + found.get().file() + " cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return snapshots.storage();
    }

    @Override
    public long takeSnapshot() throws IOException {
        TermIndex at;
        byte[] content;
        synchronized (this) {
            at = getLastAppliedTermIndex();
            content = ledger.snapshot();
        }
        snapshots.write(at, content);
        LOG.debug("snapshot written; at={} bytes={}", at, content.length);
        return at.getIndex();
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        byte[] written = entry.getStateMachineLogEntry().getLogData().toByteArray();
        Reply reply;
        List<Changed> changed;
        synchronized (this) {
            reply = apply(written, entry.getTerm());
            changed = ledger.takeChanged();
            updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        }
        if (!changed.isEmpty()) {
            listener.changed(changed);
        }
        ByteString bytes = UnsafeByteOperations.unsafeWrap(Codec.bytes(reply));
        return CompletableFuture.completedFuture(Message.valueOf(bytes));
    }

    private Reply apply(byte[] written, long raftTerm) {
        try {
            Command command = Codec.command(written);
            Reply reply = carryOut(ledger, command, raftTerm);
            if (clock != null) {
                clock.follow(command, reply, ledger, nanos.getAsLong());
            }
            return reply;
        } catch (Unreadable e) {
            return new Reply.Unsupported(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("an entry of the log cannot be carried out; voter={} raftTerm={}", getId(), raftTerm, e);
            if (clock != null) {
                clock.followWhatIsNew(ledger, nanos.getAsLong());
            }
            return new Reply.Unsupported(
                    "it could not be carried out: " + e.getClass().getSimpleName());
        }
    }

    /**
     * What a fault in it left half done is the same on each voter, and they go on from there: the ledger knows no chance. Whoever
     * mends such a fault makes it a new version of the command, or voters that meet the old entry again come to differ.
     */
    Reply carryOut(Ledger to, Command command, long raftTerm) {
        return to.apply(command, raftTerm);
    }

    // What happens to this voter

    @Override
    public void notifyLeaderReady() {
        lead(currentTerm());
    }

    void lead(long raftTerm) {
        synchronized (this) {
            clock = LeaderClock.anew(raftTerm, ledger, nanos.getAsLong());
        }
        LOG.info("this voter leads the quorum; voter={} raftTerm={}", getId(), raftTerm);
    }

    /** Of this voter's own leadership it is told elsewhere, once it is ready to. */
    @Override
    public void notifyLeaderChanged(RaftGroupMemberId self, @Nullable RaftPeerId leader) {
        if (leader != null && !leader.equals(self.getPeerId())) {
            LOG.info("another voter leads the quorum; voter={} leader={}", self.getPeerId(), leader);
        }
    }

    private long currentTerm() {
        try {
            return getServer().join().getDivision(getGroupId()).getInfo().getCurrentTerm();
        } catch (IOException e) {
            return -1;
        }
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        synchronized (this) {
            clock = null;
        }
        LOG.info("this voter leads the quorum no more; voter={}", getId());
        listener.leadsNoMore();
    }

    @Override
    public void notifyExtendedNoLeader(RoleInfoProto role) {
        listener.withoutLeader();
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
        listener.logFailed(cause);
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean allServer) {
        listener.closed();
    }
}
