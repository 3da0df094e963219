package dev.signet.store.etcd;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Deadline;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends transactions to one member, those of one kind that wait together in one request. While few are on their way none waits; so
 * a single one takes as long as ever, and ten thousand take a hundred requests. Each has its guards and its answer for itself, see
 * {@link Batch}. What a batch is refused as a whole, such as for the lease of one of them, each is then asked by itself.
 *
 * <p>A batch that is not answered holds up those that wait for half a second at most. Thread-safe.
 */
final class Batches {

    private static final int MOST_IN_FLIGHT = 2;
    private static final long LONGEST_HOLD_UP_MILLIS = 500;
    private static final int MOST_WAITING = 50_000;

    private final Member member;
    private final ScheduledExecutorService thread;
    private final Deque<Entry> waiting = new ArrayDeque<>();
    private int inFlight;
    private boolean due;
    private int most = Batch.MOST;

    Batches(Member member, ScheduledExecutorService thread) {
        this.member = member;
        this.thread = thread;
    }

    /**
     * @param longestTryNanos for which it is waited for, from when it is sent
     * @param alone whether it goes in a request of its own
     */
    record Entry(
            TxnRequest request,
            Deadline deadline,
            long longestTryNanos,
            CompletableFuture<TxnResponse> answer,
            boolean alone) {

        Entry byItself() {
            return new Entry(request, deadline, longestTryNanos, answer, true);
        }
    }

    CompletableFuture<TxnResponse> send(TxnRequest request, Deadline deadline, long longestTryNanos) {
        Entry entry = new Entry(request, deadline, longestTryNanos, new CompletableFuture<>(), false);
        synchronized (this) {
            if (waiting.size() >= MOST_WAITING) {
                // in etcd's words: it was not done, and may be later
                return CompletableFuture.failedFuture(Status.RESOURCE_EXHAUSTED
                        .withDescription("too many requests wait here")
                        .asRuntimeException());
            }
            waiting.add(entry);
        }
        sendSoon();
        return entry.answer();
    }

    /** On the thread, so that what is asked meanwhile, such as by those who are being answered, goes together. */
    private void sendSoon() {
        synchronized (this) {
            if (due) {
                return;
            }
            due = true;
        }
        thread.execute(this::sendWaiting);
    }

    private void sendWaiting() {
        synchronized (this) {
            due = false;
        }
        Optional<Batch> next;
        do {
            List<Entry> late = new ArrayList<>();
            synchronized (this) {
                waiting.removeIf(entry -> entry.deadline().isExpired() && late.add(entry));
                next = waiting.isEmpty() || inFlight >= MOST_IN_FLIGHT
                        ? Optional.empty()
                        : Optional.of(Batch.of(waiting, most));
                inFlight += next.isPresent() ? 1 : 0;
            }
            // not of the member's making, who is not to be left for it
            late.forEach(entry -> entry.answer()
                    .completeExceptionally(
                            new IllegalStateException("it waited behind others until its time was over")));
            next.ifPresent(this::send);
        } while (next.isPresent());
    }

    private void send(Batch batch) {
        AtomicBoolean onItsWay = new AtomicBoolean(true);
        var holdUp = thread.schedule(() -> arrived(onItsWay), LONGEST_HOLD_UP_MILLIS, TimeUnit.MILLISECONDS);
        CompletableFuture<Void> unused = member.send(KVGrpc.getTxnMethod(), batch.request(), batch.deadline())
                .handle((answer, fault) -> {
                    holdUp.cancel(false);
                    if (fault == null) {
                        batch.answer(answer);
                    } else if (batch.size() == 1 || isOfAll(fault)) {
                        batch.fail(fault);
                    } else {
                        apart(batch, fault);
                    }
                    arrived(onItsWay);
                    return null;
                });
    }

    private void arrived(AtomicBoolean onItsWay) {
        if (onItsWay.getAndSet(false)) {
            synchronized (this) {
                inFlight--;
            }
        }
        sendSoon();
    }

    /** It says nothing of what is asked, and would be said of each. */
    private static boolean isOfAll(Throwable fault) {
        return Faults.isSilence(fault) || Faults.isWorthAnotherTry(fault) || Faults.isStaleToken(fault);
    }

    private synchronized void apart(Batch batch, Throwable fault) {
        if (Faults.isTooMuchAtOnce(fault)) {
            most = Math.max(1, Math.min(most, batch.size() / 2));
        }
        List<Entry> alone = new ArrayList<>(batch.entries());
        for (int i = alone.size() - 1; i >= 0; i--) {
            waiting.addFirst(alone.get(i).byItself());
        }
    }
}
