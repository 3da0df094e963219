package dev.signet.servers;

import dev.signet.servers.Weather.Way;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** One connection through a {@link Proxy}: a socket on each side, and a flow each way. */
final class Link {

    private static final int LONGEST_CONNECT_MILLIS = 5_000;

    private final Weather weather;
    private final InetSocketAddress server;
    private final Socket near;
    private final Socket far = new Socket();
    private final Consumer<Link> onClose;
    private final AtomicInteger open = new AtomicInteger(2);
    private final Flow toServer;
    private final Flow toClient;
    private final Thread connector;
    private boolean closed;

    Link(Weather weather, InetSocketAddress server, Socket client, Consumer<Link> onClose) {
        this.weather = weather;
        this.server = server;
        this.near = client;
        this.onClose = onClose;
        this.toServer = new Flow(weather, Way.TO_SERVER, near, far, this::ended, this::reset);
        this.toClient = new Flow(weather, Way.TO_CLIENT, far, near, this::ended, this::reset);
        this.connector = Proxy.thread(this::connect, "connects");
    }

    void start() {
        connector.start();
    }

    /** The server hears of a client when the way to it is open, not before. */
    private void connect() {
        try {
            weather.awaitPassage(Way.TO_SERVER, System.nanoTime());
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            far.connect(server, LONGEST_CONNECT_MILLIS);
            begin();
        } catch (IOException e) {
            reset();
        } catch (InterruptedException e) {
            return; // closed
        }
    }

    private synchronized void begin() {
        if (!closed) {
            toServer.start();
            toClient.start();
        }
    }

    private void ended() {
        if (open.decrementAndGet() == 0) {
            close();
        }
    }

    /** Both sides find the connection reset. */
    void reset() {
        for (Socket side : new Socket[] {near, far}) {
            try {
                side.setSoLinger(true, 0);
            } catch (IOException e) {
                // closed already
            }
        }
        close();
    }

    private void close() {
        synchronized (this) {
            closed = true;
        }
        connector.interrupt();
        toServer.stop();
        toClient.stop();
        for (Socket side : new Socket[] {near, far}) {
            try {
                side.close();
            } catch (IOException e) {
                // nothing of it is left either way
            }
        }
        onClose.accept(this);
    }
}
