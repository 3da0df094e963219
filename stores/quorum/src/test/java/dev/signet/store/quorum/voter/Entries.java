package dev.signet.store.quorum.voter;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.OpenSession;
import dev.signet.store.Reserve;
import dev.signet.store.SessionId;
import dev.signet.store.quorum.state.Changed;
import dev.signet.store.quorum.state.Codec;
import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.state.Unreadable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** A replicated ledger without Raft: entries are what a test says, and time stands still until it moves it. */
final class Entries {

    static final Namespace HERE = Namespace.DEFAULT;
    static final Role LEDGER = Role.of("ledger");

    long nowNanos = 1_000;
    final List<Changed> changed = new ArrayList<>();
    private final ReplicatedLedger ledger;
    private long index;

    private final class Told extends Deaf {
        @Override
        public void changed(List<Changed> roles) {
            changed.addAll(roles);
        }
    }

    /** Nobody is told. */
    static class Deaf implements ReplicatedLedger.Listener {
        @Override
        public void changed(List<Changed> roles) {}

        @Override
        public void leadsNoMore() {}

        @Override
        public void withoutLeader() {}

        @Override
        public void closed() {}

        @Override
        public void logFailed(Throwable cause) {}
    }

    Entries() {
        this(ReplicatedLedger::new);
    }

    Entries(BiFunction<LongSupplier, ReplicatedLedger.Listener, ReplicatedLedger> of) {
        ledger = of.apply(() -> nowNanos, new Told());
        apply(1, new Command.Found(new StoreId("store")));
    }

    ReplicatedLedger ledger() {
        return ledger;
    }

    void pass(Duration time) {
        nowNanos += time.toNanos();
    }

    Reply apply(long raftTerm, Command command) {
        return apply(raftTerm, Codec.bytes(command));
    }

    Reply apply(long raftTerm, byte[] bytes) {
        LogEntryProto entry = LogEntryProto.newBuilder()
                .setTerm(raftTerm)
                .setIndex(++index)
                .setStateMachineLogEntry(StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFrom(bytes)))
                .build();
        TransactionContext transaction = TransactionContext.newBuilder()
                .setServerRole(RaftPeerRole.FOLLOWER)
                .setStateMachine(ledger)
                .setLogEntry(entry)
                .build();
        try {
            return Codec.reply(
                    ledger.applyTransaction(transaction).join().getContent().toByteArray());
        } catch (Unreadable e) {
            throw new AssertionError(e);
        }
    }

    static Command open(String candidate, Duration lease) {
        return new Command.Open(HERE, new OpenSession(session(candidate), id(candidate), Advertised.NOTHING, lease));
    }

    static Command take(String candidate, long attempt, long expectedVersion) {
        return new Command.Take(
                HERE, new Acquire(session(candidate), LEDGER, attempt, new TermId(7, attempt), 0, expectedVersion));
    }

    static Command keep(String candidate, long attempt, String target, Duration window) {
        return new Command.Keep(HERE, new Reserve(session(candidate), LEDGER, attempt, id(target), window));
    }

    static CandidateId id(String candidate) {
        return new CandidateId(candidate, "1");
    }

    static SessionId session(String candidate) {
        return new SessionId(candidate + "-session");
    }

    static SessionKey key(String candidate) {
        return new SessionKey(HERE, session(candidate));
    }

    boolean lives(String candidate) {
        return ledger.read(all -> all.session(HERE, session(candidate))).isPresent();
    }
}
