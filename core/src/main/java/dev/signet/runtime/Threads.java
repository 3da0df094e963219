package dev.signet.runtime;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Names for the threads of a candidate. */
final class Threads {

    private Threads() {}

    /** Daemon threads {@code name}, {@code name-2}, and so on. */
    static ThreadFactory daemons(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            int number = count.incrementAndGet();
            Thread thread = new Thread(task, number == 1 ? name : name + "-" + number);
            thread.setDaemon(true);
            return thread;
        };
    }
}
