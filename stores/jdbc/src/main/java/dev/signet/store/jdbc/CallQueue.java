package dev.signet.store.jdbc;

import java.util.ArrayDeque;
import java.util.Optional;

/** The calls that wait for a {@link Lane}: in the order in which they came, but heartbeats before all others. Thread-safe. */
final class CallQueue {

    /** Heartbeats do not count: there are a few per session, and losing one costs a leader. */
    static final int MOST_WAITING = 4_096;

    private static final int MOST_HEARTBEATS = 256;

    private final ArrayDeque<Call<?, ?>> heartbeats = new ArrayDeque<>();
    private final ArrayDeque<Call<?, ?>> others = new ArrayDeque<>();

    /** @return false if there is no place left */
    synchronized boolean offer(Call<?, ?> call) {
        boolean heartbeat = call.weight() == Call.Weight.HEARTBEAT;
        ArrayDeque<Call<?, ?>> queue = heartbeat ? heartbeats : others;
        if (queue.size() >= (heartbeat ? MOST_HEARTBEATS : MOST_WAITING)) {
            return false;
        }
        queue.add(call);
        notifyAll();
        return true;
    }

    synchronized int size() {
        return others.size();
    }

    /** Waits for the next call. */
    synchronized Call<?, ?> take() throws InterruptedException {
        Optional<Call<?, ?>> next = poll(Call.Weight.DURABLE);
        while (next.isEmpty()) {
            wait();
            next = poll(Call.Weight.DURABLE);
        }
        return next.get();
    }

    /** The next call, unless it needs more of its transaction than {@code heaviest}. */
    synchronized Optional<Call<?, ?>> poll(Call.Weight heaviest) {
        ArrayDeque<Call<?, ?>> queue = heartbeats.isEmpty() ? others : heartbeats;
        Call<?, ?> next = queue.peek();
        return next == null || next.weight().compareTo(heaviest) > 0 ? Optional.empty() : Optional.of(queue.remove());
    }
}
