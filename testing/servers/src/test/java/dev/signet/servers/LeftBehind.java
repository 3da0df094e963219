package dev.signet.servers;

import java.util.concurrent.CountDownLatch;

/** A JVM that starts servers and does not close them: {@code exit} ends in good order, {@code wait} waits to be killed. */
final class LeftBehind {

    private LeftBehind() {}

    public static void main(String[] args) throws InterruptedException {
        PostgresServer frozen = PostgresServer.start(PostgresOptions.defaults());
        frozen.freeze();
        MariaDbServer running = MariaDbServer.start(MariaDbOptions.defaults());
        System.out.println("folder " + running.folder.getParent());
        for (ProcessHandle child : ProcessHandle.current().descendants().toList()) {
            ProcessState state = ProcessState.of(child);
            // a frozen parent collects nobody
            if (!state.isOver()) {
                System.out.println("process " + child.pid() + " " + state.startTicks());
            }
        }
        System.out.println("ready");
        if (args[0].equals("wait")) {
            new CountDownLatch(1).await();
        }
    }
}
