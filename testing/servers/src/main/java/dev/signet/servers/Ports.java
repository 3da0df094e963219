package dev.signet.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Free ports on loopback. Below those that Linux gives to clients (32768 and up): a client that keeps asking for a server that is
 * down would in time be given the server's own port, connect to itself, and keep the server from coming back.
 */
final class Ports {

    private static final int LOWEST = 16_384;
    private static final int HIGHEST = 32_767;
    private static final int ATTEMPTS = 1_000;

    private Ports() {}

    /** Free now; another may be quicker, so whoever binds one of them must be ready to ask again. */
    static int[] free(int count) {
        return IntStream.generate(Ports::free).distinct().limit(count).toArray();
    }

    private static int free() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
            if (isFree(port)) {
                return port;
            }
        }
        throw new ServerException("no free port from " + LOWEST + " to " + HIGHEST + " in " + ATTEMPTS + " attempts");
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
