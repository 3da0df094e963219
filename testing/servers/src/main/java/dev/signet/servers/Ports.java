package dev.signet.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Free ports on loopback. Below those that Linux gives to clients (32768 and up): a client that keeps asking for a server that is
 * down would in time be given the server's own port, connect to itself, and keep the server from coming back.
 */
public final class Ports {

    private static final int LOWEST = 16_384;
    private static final int HIGHEST = 32_767;
    private static final int ATTEMPTS = 1_000;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private Ports() {}

    /** Free now; another may be quicker, so whoever binds one of them must be ready to ask again. */
    public static int[] free(int count) {
        return IntStream.generate(Ports::free).distinct().limit(count).toArray();
    }

    private static int free() {
        try (ServerSocket probe = listen(1)) {
            return probe.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Listens on one that was free. */
    static ServerSocket listen(int backlog) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                return listen(ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1), backlog);
            } catch (IOException e) {
                // taken
            }
        }
        throw new ServerException("no free port from " + LOWEST + " to " + HIGHEST + " in " + ATTEMPTS + " attempts");
    }

    /** Listens again on one that was left with {@link #leave}. */
    static ServerSocket listenAgain(int port, int backlog) {
        try {
            return listen(port, backlog);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen at port " + port + " again", e);
        }
    }

    /**
     * Returns when connections are refused. That may be a moment after closing: a thread that waits in accept may take one more, and a
     * process that the JVM starts meanwhile holds a copy of every socket, until it has come to close them.
     */
    static void leave(ServerSocket listener) {
        int port = listener.getLocalPort();
        long begun = System.nanoTime();
        try {
            listener.close();
            while (!refuses(port)) {
                if (System.nanoTime() - begun > LONGEST_WAIT.toNanos()) {
                    throw new ServerException("port " + port + " is still taken after " + LONGEST_WAIT);
                }
                Child.pause(Duration.ofMillis(5));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A connection that is reset at once is not refused: it was taken up by a listener that was about to close. */
    private static boolean refuses(int port) throws IOException {
        try {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (SocketException e) {
            return false;
        }
    }

    private static ServerSocket listen(int port, int backlog) throws IOException {
        return new ServerSocket(port, backlog, InetAddress.getLoopbackAddress());
    }
}
