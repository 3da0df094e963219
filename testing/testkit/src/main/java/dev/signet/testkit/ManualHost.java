package dev.signet.testkit;

import dev.signet.time.EventLoop;
import dev.signet.time.TimeSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/**
 * One process in a {@link ManualTime}: its two clocks and its event loop.
 *
 * <ul>
 *   <li>{@linkplain #pause Paused}, as by a long garbage collection or SIGSTOP, both clocks go on and no task runs; what
 *       became due runs late, once it is {@linkplain #resume resumed}.
 *   <li>{@linkplain #suspend Suspended}, as a laptop or a virtual machine, only the wall clock goes on: what was to run in
 *       two seconds still runs two monotonic seconds later.
 *   <li>The wall clock may be {@linkplain #jumpWall set} at any time.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class ManualHost implements TimeSource, EventLoop {

    private final ManualTime time;
    private final TreeSet<Task> tasks = new TreeSet<>(Task.IN_THE_WORLD);
    private volatile Sleep sleep = new Sleep(0, Sleep.AWAKE);
    private volatile long wallShiftMillis;
    private boolean paused;
    private boolean closed;

    ManualHost(ManualTime time) {
        this.time = time;
    }

    @Override
    public long monoNanos() {
        return ManualTime.MONO_ORIGIN + ownNanos();
    }

    /** What has passed on the monotonic clock. */
    private long ownNanos() {
        Sleep now = sleep;
        return (now.isAsleep() ? now.sinceNanos : time.elapsedNanos()) - now.sleptNanos;
    }

    @Override
    public long wallMillis() {
        return time.wallMillis() + wallShiftMillis;
    }

    /** Sets the wall clock forward, or back by a negative duration. */
    public void jumpWall(Duration by) {
        synchronized (time.monitor()) {
            wallShiftMillis += by.toMillis();
        }
    }

    /** No task runs until {@link #resume}. Idempotent. */
    public void pause() {
        synchronized (time.monitor()) {
            paused = true;
        }
    }

    /** Tasks run again; those that are due at the next advance. Idempotent. */
    public void resume() {
        synchronized (time.monitor()) {
            paused = false;
        }
    }

    /** The world goes on this long without this process; then what became due runs late. */
    public void pauseFor(Duration duration) {
        pause();
        time.advance(duration);
        resume();
        time.settle();
    }

    /** The monotonic clock stands still, and no task runs, until {@link #wake}. Idempotent. */
    public void suspend() {
        synchronized (time.monitor()) {
            if (!sleep.isAsleep()) {
                sleep = new Sleep(sleep.sleptNanos, time.elapsedNanos());
            }
        }
    }

    /** The monotonic clock goes on from where it stood. Idempotent. */
    public void wake() {
        synchronized (time.monitor()) {
            if (sleep.isAsleep()) {
                sleep = new Sleep(sleep.sleptNanos + time.elapsedNanos() - sleep.sinceNanos, Sleep.AWAKE);
            }
        }
    }

    /** The world goes on this long while this process is suspended. */
    public void suspendFor(Duration duration) {
        suspend();
        time.advance(duration);
        wake();
        time.settle();
    }

    @Override
    public void execute(Runnable task) {
        schedule(task, Duration.ZERO);
    }

    @Override
    public Scheduled schedule(Runnable task, Duration delay) {
        synchronized (time.monitor()) {
            Task next = new Task(task, ownNanos() + Math.max(0, delay.toNanos()), time.nextSequence());
            if (!closed) {
                tasks.add(next);
            }
            return next;
        }
    }

    @Override
    public void close() {
        synchronized (time.monitor()) {
            closed = true;
            tasks.clear();
        }
    }

    /** The earliest task, if tasks run here now. */
    Optional<Task> next() {
        boolean runs = !paused && !sleep.isAsleep() && !tasks.isEmpty();
        return runs ? Optional.of(tasks.first()) : Optional.empty();
    }

    /** How long this host has slept so far, and since when it sleeps again. */
    private record Sleep(long sleptNanos, long sinceNanos) {

        static final long AWAKE = -1;

        boolean isAsleep() {
            return sinceNanos != AWAKE;
        }
    }

    /** A task of this host, due by its monotonic clock. */
    final class Task implements Scheduled {

        static final Comparator<Task> IN_THE_WORLD =
                Comparator.comparingLong(Task::inTheWorldNanos).thenComparingLong(task -> task.sequence);

        private final Runnable action;
        private final long dueNanos;
        private final long sequence;

        Task(Runnable action, long dueNanos, long sequence) {
            this.action = action;
            this.dueNanos = dueNanos;
            this.sequence = sequence;
        }

        long inTheWorldNanos() {
            return dueNanos + sleep.sleptNanos;
        }

        void run() {
            action.run();
        }

        @Override
        public void cancel() {
            synchronized (time.monitor()) {
                tasks.remove(this);
            }
        }
    }
}
