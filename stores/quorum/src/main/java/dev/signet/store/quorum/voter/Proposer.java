package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.state.Codec;
import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.state.Unreadable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.RaftException;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Puts commands in the log of this voter, if it leads: directly, not through a client of Raft's, which would retry at another leader
 * what was decided here. What waits meanwhile goes as one entry, so that ten thousand roles are some forty writes to the disk.
 *
 * <p>A thread of its own, since Raft makes whoever submits wait until the entry is appended.
 */
final class Proposer implements AutoCloseable {

    private static final int MOST_WAITING = 50_000;
    private static final int MOST_IN_ENTRY = 256;
    private static final int MOST_ENTRIES_UNDER_WAY = 16;

    /** Of an entry of more than {@link RaftSettings} lets it append at once Raft takes nothing, and its leader steps down. */
    private static final int ENOUGH_BYTES_IN_ENTRY = 256 << 10;

    private final RaftServer raft;
    private final RaftGroupId group;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final BlockingQueue<Waiting> queue = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Semaphore entries = new Semaphore(MOST_ENTRIES_UNDER_WAY);
    private final Thread thread;
    private volatile boolean closed;

    private record Waiting(Command command, int bytes, CompletableFuture<Reply> reply) {}

    Proposer(RaftServer raft, RaftGroupId group) {
        this.raft = raft;
        this.group = group;
        this.thread = new Thread(this::run, "signet-proposer-" + raft.getId());
        thread.setDaemon(true);
        thread.start();
    }

    /** Fails with {@link NotProposed} where it is not in the log and will not be; else, nobody knows. */
    CompletableFuture<Reply> propose(Command command) {
        Waiting waiting = new Waiting(command, Codec.bytes(command).length, new CompletableFuture<>());
        if (closed || !queue.offer(waiting)) {
            fail(List.of(waiting), closed ? over() : new NotProposed(MOST_WAITING + " requests wait already"));
        } else if (closed && queue.remove(waiting)) {
            fail(List.of(waiting), over());
        }
        return waiting.reply();
    }

    private static NotProposed over() {
        return new NotProposed("this voter is closed");
    }

    private void run() {
        List<Waiting> together = new ArrayList<>();
        try {
            while (!closed) {
                together.add(queue.take());
                entries.acquire();
                fill(together);
                submit(List.copyOf(together));
                together.clear();
            }
        } catch (InterruptedException e) {
            closed = true;
        }
        queue.drainTo(together);
        fail(together, over());
    }

    private void fill(List<Waiting> together) {
        int bytes = together.get(0).bytes();
        while (together.size() < MOST_IN_ENTRY && bytes < ENOUGH_BYTES_IN_ENTRY) {
            Waiting next = queue.poll();
            if (next == null) {
                return;
            }
            together.add(next);
            bytes += next.bytes();
        }
    }

    private void submit(List<Waiting> together) {
        try {
            var unused = raft.submitClientRequestAsync(request(together)).whenComplete((reply, fault) -> {
                entries.release();
                answer(together, reply, fault);
            });
        } catch (IOException | RuntimeException e) {
            entries.release();
            fail(together, e);
        }
    }

    private RaftClientRequest request(List<Waiting> together) {
        Command command = together.size() == 1
                ? together.get(0).command()
                : new Command.Batch(together.stream().map(Waiting::command).toList());
        return RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(raft.getId())
                .setGroupId(group)
                .setCallId(calls.incrementAndGet())
                .setType(RaftClientRequest.writeRequestType())
                .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(Codec.bytes(command))))
                .build();
    }

    private static void answer(List<Waiting> together, RaftClientReply reply, Throwable fault) {
        if (fault != null) {
            fail(together, fault);
        } else if (!reply.isSuccess()) {
            RaftException exception = reply.getException();
            fail(together, isNotInLog(exception) ? new NotProposed(exception) : exception);
        } else {
            try {
                tell(together, Codec.reply(reply.getMessage().getContent().toByteArray()));
            } catch (Unreadable e) {
                fail(together, e);
            }
        }
    }

    private static void tell(List<Waiting> together, Reply reply) {
        if (together.size() == 1) {
            together.get(0).reply().complete(reply);
        } else if (reply instanceof Reply.Batched all && all.replies().size() == together.size()) {
            for (int i = 0; i < together.size(); i++) {
                together.get(i).reply().complete(all.replies().get(i));
            }
        } else {
            fail(together, new IOException("unexpected: " + reply));
        }
    }

    /**
     * Not so a NotLeaderException: with it Raft also answers what is in the log, and may be committed by the next leader. Nor a
     * ResourceUnavailableException: Ratis can say that after it appended. A StateMachineException is its refusal to append, since the
     * ledger has none.
     */
    private static boolean isNotInLog(RaftException exception) {
        return exception instanceof LeaderNotReadyException
                || exception instanceof LeaderSteppingDownException
                || exception instanceof StateMachineException;
    }

    private static void fail(List<Waiting> together, Throwable fault) {
        together.forEach(one -> one.reply().completeExceptionally(fault));
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
