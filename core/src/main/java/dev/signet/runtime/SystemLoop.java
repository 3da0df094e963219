package dev.signet.runtime;

import dev.signet.time.EventLoop;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An event loop on a daemon thread of its own. */
final class SystemLoop implements EventLoop {

    private static final Logger LOG = LoggerFactory.getLogger(SystemLoop.class);
    private static final Scheduled NOTHING = () -> {};

    private final ScheduledThreadPoolExecutor executor;

    SystemLoop(String name) {
        executor = new ScheduledThreadPoolExecutor(1, Threads.daemons(name));
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        schedule(task, Duration.ZERO);
    }

    @Override
    public Scheduled schedule(Runnable task, Duration delay) {
        try {
            Future<?> future = executor.schedule(() -> reported(task), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException closed) {
            return NOTHING;
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    /** A task that throws is a defect of ours: it must be seen, and must not stop the heartbeat. */
    private static void reported(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error defect) {
            LOG.error("a step of the event loop failed; please report this", defect);
        }
    }
}
