package dev.signet.store.quorum.voter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of a voter's own. */
final class VoterThreads {

    private static final Logger LOG = LoggerFactory.getLogger(VoterThreads.class);

    private final ScheduledExecutorService clock = thread("signet-voter-clock");
    private final ScheduledExecutorService news = thread("signet-voter-news");

    /** Of its own: what many watchers are told must not hold up whether this voter still leads. */
    private final ScheduledExecutorService rounds = thread("signet-voter-rounds");

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    ScheduledExecutorService clock() {
        return clock;
    }

    ScheduledExecutorService news() {
        return news;
    }

    ScheduledExecutorService rounds() {
        return rounds;
    }

    static void repeat(ScheduledExecutorService thread, Runnable task, Duration interval) {
        var unused = thread.scheduleAtFixedRate(
                guarded(task), interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A task that throws is never run again by its scheduler. */
    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("a task of the voter failed", e);
            }
        };
    }

    void stop() {
        List.of(clock, news, rounds).forEach(ScheduledExecutorService::shutdownNow);
    }
}
