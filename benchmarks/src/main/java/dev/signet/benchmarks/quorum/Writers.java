package dev.signet.benchmarks.quorum;

import dev.signet.benchmarks.resource.ResourceClient;
import dev.signet.benchmarks.server.Threads;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What leaders do who have no tokens: a thread per role that writes unfenced until it is told to end. Thread-safe. */
final class Writers {

    private record Writer(Thread thread, AtomicBoolean ending) {}

    private final Map<String, Writer> writers = new ConcurrentHashMap<>();

    void begin(String role, ResourceClient resource) {
        AtomicBoolean ending = new AtomicBoolean();
        Thread thread = Threads.daemon(() -> resource.writeWhile(() -> !ending.get(), ResourceClient.UNFENCED));
        writers.put(role, new Writer(thread, ending));
        thread.start();
    }

    /** Returns when its last write has been answered. */
    void end(String role) {
        @Nullable Writer writer = writers.remove(role);
        if (writer == null) {
            return;
        }
        writer.ending().set(true);
        try {
            writer.thread().join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void endAll() {
        writers.keySet().forEach(this::end);
    }
}
