package dev.signet.store.quorum;

import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.wire.Question;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Asks for changes, those that wait together in one question. While few questions are under way none waits; so a single change takes
 * as long as ever, and ten thousand take a hundred questions. One that is not answered holds up those that wait for half a second at
 * most. Thread-safe; its state belongs to its thread.
 */
final class Changes {

    private static final int MOST_TOGETHER = 256;
    private static final int MOST_UNDER_WAY = 2;
    private static final Duration LONGEST_HOLD_UP = Duration.ofMillis(500);

    private final RemoteQuorum quorum;
    private final ScheduledExecutorService thread;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private int underWay;
    private boolean due;

    private record Waiting(Command command, long deadlineNanos, CompletableFuture<Reply> reply) {

        long nanosLeft() {
            return deadlineNanos - System.nanoTime();
        }
    }

    /** @param thread that of the quorum */
    Changes(RemoteQuorum quorum, ScheduledExecutorService thread) {
        this.quorum = quorum;
        this.thread = thread;
    }

    /** Fails with {@link Silence} when nobody can say. */
    CompletableFuture<Reply> ask(Command command, Duration timeout) {
        Waiting one = new Waiting(command, System.nanoTime() + timeout.toNanos(), new CompletableFuture<>());
        thread.execute(() -> {
            waiting.add(one);
            sendSoon();
        });
        return one.reply();
    }

    /** After what was asked meanwhile, such as by those who are being answered. */
    private void sendSoon() {
        if (!due) {
            due = true;
            thread.execute(() -> {
                due = false;
                while (underWay < MOST_UNDER_WAY && !waiting.isEmpty()) {
                    send(together());
                }
            });
        }
    }

    private List<Waiting> together() {
        List<Waiting> together = new ArrayList<>();
        while (together.size() < MOST_TOGETHER && !waiting.isEmpty()) {
            Waiting next = waiting.remove();
            if (next.nanosLeft() > 0) {
                together.add(next);
            } else {
                next.reply().completeExceptionally(new Silence("it waited behind others until its time was over"));
            }
        }
        return together;
    }

    private void send(List<Waiting> together) {
        if (together.isEmpty()) {
            return;
        }
        Turn turn = new Turn();
        underWay++;
        var unusedTimer = thread.schedule(turn::end, LONGEST_HOLD_UP.toMillis(), TimeUnit.MILLISECONDS);
        long longestNanos =
                together.stream().mapToLong(Waiting::nanosLeft).max().orElseThrow();
        var unusedReply = quorum.ask(new Question.Change(command(together)), Duration.ofNanos(longestNanos))
                .whenComplete((reply, fault) -> {
                    turn.end();
                    if (fault == null) {
                        tell(together, reply);
                    } else {
                        fail(together, fault);
                    }
                });
    }

    private static Command command(List<Waiting> together) {
        return together.size() == 1
                ? together.get(0).command()
                : new Command.Batch(together.stream().map(Waiting::command).toList());
    }

    private static void tell(List<Waiting> together, Reply reply) {
        if (together.size() == 1) {
            together.get(0).reply().complete(reply);
        } else if (reply instanceof Reply.Batched all && all.replies().size() == together.size()) {
            for (int i = 0; i < together.size(); i++) {
                together.get(i).reply().complete(all.replies().get(i));
            }
        } else {
            fail(together, new IOException("the answer is not to what was asked"));
        }
    }

    private static void fail(List<Waiting> together, Throwable fault) {
        together.forEach(one -> one.reply().completeExceptionally(fault));
    }

    /** Of a question among those that are under way; over when it is answered, or has held up the others for long enough. */
    private final class Turn {

        private boolean over;

        private void end() {
            if (!over) {
                over = true;
                underWay--;
                sendSoon();
            }
        }
    }
}
