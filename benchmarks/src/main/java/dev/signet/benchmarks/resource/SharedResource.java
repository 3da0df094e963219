package dev.signet.benchmarks.resource;

import dev.signet.benchmarks.server.Threads;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A resource in memory, for processes of this host: each write is a round trip over loopback and is committed, or refused, under one
 * lock. Its fence lets a token in that it was sealed with last; who has no token writes unfenced. All moments are of its own clock.
 * Thread-safe.
 */
public final class SharedResource implements AutoCloseable {

    static final byte WRITE = 'w';
    static final byte SEAL = 's';

    private final ServerSocket listener;
    private final Map<Long, Commits> commits = new HashMap<>();
    private long highest;

    /** What one process has committed, of the moments of {@link System#nanoTime}. */
    public record Commits(long firstNanos, long lastNanos, long count) {}

    public SharedResource() {
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Threads.daemon(this::accept).start();
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (true) {
            try {
                Socket client = listener.accept();
                client.setTcpNoDelay(true);
                Threads.daemon(() -> serve(client)).start();
            } catch (IOException e) {
                return; // it was closed
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                DataInputStream in = new DataInputStream(client.getInputStream());
                DataOutputStream out = new DataOutputStream(client.getOutputStream())) {
            long process = in.readLong();
            while (true) {
                byte what = in.readByte();
                long token = in.readLong();
                out.writeBoolean(what == SEAL ? seal(token) : write(process, token));
            }
        } catch (IOException e) {
            // it has gone
        }
    }

    private synchronized boolean seal(long token) {
        highest = Math.max(highest, token);
        return token == highest;
    }

    private synchronized boolean write(long process, long token) {
        if (token != ResourceClient.UNFENCED && token != highest) {
            return false;
        }
        long now = System.nanoTime();
        commits.merge(
                process,
                new Commits(now, now, 1),
                (before, one) -> new Commits(before.firstNanos(), now, before.count() + 1));
        notifyAll();
        return true;
    }

    /** From here on only what is committed later counts. */
    public synchronized void forget() {
        commits.clear();
    }

    /** Whether a process has committed so much since, within that time. */
    public synchronized boolean await(long process, int count, Duration longest) {
        long deadline = System.nanoTime() + longest.toNanos();
        try {
            while (!commits.containsKey(process) || of(process).count() < count) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of a process that has committed something since. */
    public synchronized Commits of(long process) {
        return Objects.requireNonNull(commits.get(process), "it has committed nothing");
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
