package dev.signet.runtime;

import dev.signet.observe.Counter;
import dev.signet.observe.Counters;
import dev.signet.observe.Event;
import dev.signet.observe.Observer;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts events where they happen and tells them to observers on a thread of their own, behind a bounded queue: what
 * observers are too slow for is dropped, and counted.
 */
final class EventSink implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventSink.class);
    private static final int LONGEST_QUEUE = 4096;

    private final Counters counters = new Counters();
    private final List<Observer> observers;
    private final ThreadPoolExecutor executor;

    EventSink(String name, List<Observer> observers) {
        this.observers = observers;
        executor = new ThreadPoolExecutor(
                1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(LONGEST_QUEUE), Threads.daemons(name));
        executor.allowCoreThreadTimeOut(true);
    }

    Counters counters() {
        return counters;
    }

    void emit(Event event) {
        counters.add(event.counter());
        try {
            executor.execute(() -> tell(event));
        } catch (RejectedExecutionException | Error fullOrNoThread) {
            counters.add(Counter.EVENTS_DROPPED);
        }
    }

    /** Observers hear what was emitted before; nothing after. */
    @Override
    public void close() {
        executor.shutdown();
    }

    private void tell(Event event) {
        for (Observer observer : observers) {
            try {
                observer.on(event);
            } catch (RuntimeException | Error fault) {
                LOG.warn("an observer failed on {}", event, fault);
            }
        }
    }
}
