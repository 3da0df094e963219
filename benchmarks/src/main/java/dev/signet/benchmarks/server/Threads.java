package dev.signet.benchmarks.server;

/** Of whom nobody waits. */
public final class Threads {

    private Threads() {}

    public static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "benchmark");
        thread.setDaemon(true);
        return thread;
    }
}
