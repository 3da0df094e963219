package dev.signet.servers;

import dev.signet.servers.Weather.Way;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A bad network before a server: clients connect to {@link #port()} instead of the server's own. Each fault replaces the one before,
 * for connections that exist and for new ones. Thread-safe; closing is idempotent and resets all connections.
 *
 * <p>What it does not do: a client's TCP handshake always succeeds while the proxy listens, so where a real network would let a
 * connection time out, this one comes about and then says nothing; and a server that is down looks like a reset, not like a refusal.
 */
public final class Proxy implements AutoCloseable {

    private static final int MOST_CONNECTIONS = 500;
    private static final int BACKLOG = 200;

    private final Weather weather = new Weather();
    private final Function<Socket, Weather> weathers;
    private final InetSocketAddress server;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final int port;
    private @Nullable ServerSocket listener;
    private boolean closed;

    private Proxy(InetSocketAddress server, Optional<Function<Socket, Weather>> weathers) {
        this.server = server;
        this.weathers = weathers.orElse(client -> weather);
        ServerSocket opened = Ports.listen(BACKLOG);
        this.port = opened.getLocalPort();
        this.listener = opened;
        acceptFrom(opened);
    }

    public static Proxy to(Server server) {
        return to(server.host(), server.port());
    }

    public static Proxy to(String host, int port) {
        return new Proxy(new InetSocketAddress(host, port), Optional.empty());
    }

    /** With a weather for each client, which somebody else changes. */
    static Proxy to(String host, int port, Function<Socket, Weather> weathers) {
        return new Proxy(new InetSocketAddress(host, port), Optional.of(weathers));
    }

    public String host() {
        return "127.0.0.1";
    }

    /** The same for as long as the proxy exists. */
    public int port() {
        return port;
    }

    /** Everything arrives later by this much, each way and in order; up to a megabyte of a connection is under way at a time. */
    public void delay(Duration each) {
        change(each, EnumSet.noneOf(Way.class));
    }

    /** Nothing passes, neither way, not even the end of a connection; connections stay. What is held back arrives after healing. */
    public void blackHole() {
        change(Duration.ZERO, EnumSet.allOf(Way.class));
    }

    /** As {@link #blackHole}, from clients to the server only. */
    public void blackHoleToServer() {
        change(Duration.ZERO, EnumSet.of(Way.TO_SERVER));
    }

    /** As {@link #blackHole}, from the server to clients only: requests are carried out, and nobody hears of it. */
    public void blackHoleToClient() {
        change(Duration.ZERO, EnumSet.of(Way.TO_CLIENT));
    }

    /** Everything passes at once. */
    public void heal() {
        change(Duration.ZERO, EnumSet.noneOf(Way.class));
    }

    /** Connections are reset, and new ones refused. */
    public synchronized void cut() {
        open();
        refuse();
    }

    private synchronized void change(Duration delay, Set<Way> blocked) {
        open();
        weather.change(delay, blocked);
        if (listener == null) {
            listener = Ports.listenAgain(port, BACKLOG);
            acceptFrom(listener);
        }
    }

    private void open() {
        if (closed) {
            throw new IllegalStateException("this proxy is closed");
        }
    }

    private void acceptFrom(ServerSocket opened) {
        thread(() -> accept(opened), "accepts at " + opened.getLocalPort()).start();
    }

    private void refuse() {
        ServerSocket left = listener;
        listener = null;
        links.forEach(Link::reset);
        if (left != null) {
            Ports.leave(left);
        }
    }

    private void accept(ServerSocket from) {
        try {
            while (true) {
                admit(from, from.accept());
            }
        } catch (IOException e) {
            return; // closed
        }
    }

    private synchronized void admit(ServerSocket from, Socket client) {
        Link link = new Link(weathers.apply(client), server, client, links::remove);
        if (listener == from && links.size() < MOST_CONNECTIONS) {
            links.add(link);
            link.start();
        } else {
            link.reset();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        refuse();
    }

    static Thread thread(Runnable body, String what) {
        Thread thread = new Thread(body, "proxy " + what);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public String toString() {
        return host() + ":" + port + " before " + server;
    }
}
