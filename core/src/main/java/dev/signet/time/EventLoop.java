package dev.signet.time;

import java.time.Duration;

/**
 * The one thread on which a candidate's machines are stepped. Tasks run one at a time, in the order of their time.
 * Thread-safe. Nothing that runs here may block.
 */
public interface EventLoop extends AutoCloseable {

    /** Runs the task soon; ignored after {@link #close()}. */
    void execute(Runnable task);

    /** Runs the task once, {@code delay} from now, unless it is cancelled before; ignored after {@link #close()}. */
    Scheduled schedule(Runnable task, Duration delay);

    /** Ends the loop; tasks that have not begun are dropped. Idempotent; returns without waiting. */
    @Override
    void close();

    /** A task to come. */
    interface Scheduled {

        /** Drops the task if it has not begun. Idempotent. */
        void cancel();
    }
}
