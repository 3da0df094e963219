package dev.signet.simulation;

import java.util.PriorityQueue;

/** What is to happen, in the order of true time, which nobody inside the world can read. */
final class Agenda {

    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000 * MILLI;

    private final PriorityQueue<Entry> entries = new PriorityQueue<>(512);
    private long now;
    private long count;

    /** True time in nanoseconds since the world began. */
    long now() {
        return now;
    }

    long steps() {
        return count - entries.size();
    }

    void after(long nanos, Runnable task) {
        entries.add(new Entry(now + Math.max(0, nanos), count++, task));
    }

    /** Lets the next thing happen, unless it lies beyond {@code until}; says whether one did. */
    boolean step(long until) {
        Entry next = entries.peek();
        if (next == null || next.time > until) {
            now = Math.max(now, until);
            return false;
        }
        entries.poll();
        now = next.time;
        next.task.run();
        return true;
    }

    private record Entry(long time, long order, Runnable task) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}
