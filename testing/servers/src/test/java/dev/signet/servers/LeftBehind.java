package dev.signet.servers;

import java.io.IOException;

/** A JVM that starts servers, waits for the end of its input, and ends in good order without closing them. */
final class LeftBehind {

    private LeftBehind() {}

    public static void main(String[] args) throws IOException {
        PostgresServer frozen = PostgresServer.start(PostgresOptions.defaults());
        frozen.freeze();
        MariaDbServer running = MariaDbServer.start(MariaDbOptions.defaults());
        ZooKeeperServer.alone();
        System.out.println("folder " + running.folder.getParent());
        for (ProcessHandle child : ProcessHandle.current().descendants().toList()) {
            ProcessState state = ProcessState.of(child);
            // a frozen parent collects nobody
            if (!state.isOver()) {
                System.out.println("process " + child.pid() + " " + state.startTicks());
            }
        }
        System.out.println("ready");
        System.in.read();
    }
}
