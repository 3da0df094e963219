package dev.signet.benchmarks.jdbc;

final class Threads {

    private Threads() {}

    static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "benchmark");
        thread.setDaemon(true);
        return thread;
    }
}
