package dev.signet.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * Hosts of a network of their own: a network namespace each, with a cable to one switch, which is in a namespace of its own. Nothing
 * of the machine's own network changes, unless it is to be {@linkplain #joined joined}. It needs root, and the program {@code ip}. Not
 * thread-safe; closing it is idempotent, and ends no process.
 */
public final class Hosts implements AutoCloseable {

    private static final int MACHINE = 254;
    private static final int TRIES = 5;

    private final String name;
    private final String subnet;
    private final int count;

    private Hosts(String subnet, int count) {
        this.name = "sgt%06x".formatted(ThreadLocalRandom.current().nextInt(1 << 24));
        this.subnet = subnet;
        this.count = count;
    }

    /** @throws ServerException if this machine cannot make them */
    public static Hosts make(int count) {
        return made(new Hosts("10.77.0.", count), hosts -> {});
    }

    /**
     * The same, and this machine is connected to their switch: it has an interface more, and a route to it, until they are closed.
     *
     * @throws ServerException if this machine cannot make them
     */
    public static Hosts joined(int count) {
        for (int left = TRIES; ; left--) {
            String subnet = "10.78.%d.".formatted(ThreadLocalRandom.current().nextInt(256));
            try {
                return made(new Hosts(subnet, count), Hosts::join);
            } catch (ServerException e) {
                if (left == 1) {
                    throw e;
                }
            }
        }
    }

    private static Hosts made(Hosts hosts, Consumer<Hosts> more) {
        try {
            hosts.begin();
            more.accept(hosts);
            return hosts;
        } catch (ServerException e) {
            hosts.close();
            throw e;
        }
    }

    private void begin() {
        ip("netns", "add", name);
        in(name, "link", "add", "switch", "type", "bridge");
        in(name, "link", "set", "switch", "up");
        for (int host = 0; host < count; host++) {
            ip("netns", "add", namespace(host));
            in(name, "link", "add", cable(host), "type", "veth", "peer", "name", "eth0", "netns", namespace(host));
            in(name, "link", "set", cable(host), "master", "switch", "up");
            in(namespace(host), "addr", "add", address(host) + "/24", "dev", "eth0");
            in(namespace(host), "link", "set", "eth0", "up");
            in(namespace(host), "link", "set", "lo", "up");
        }
    }

    /** A route that is there already is another network's, and is refused. */
    private void join() {
        in(name, "link", "add", "machine", "type", "veth", "peer", "name", name);
        in(
                name,
                "link",
                "set",
                name,
                "netns",
                Long.toString(ProcessHandle.current().pid()));
        in(name, "link", "set", "machine", "master", "switch", "up");
        ip("addr", "add", subnet + MACHINE + "/24", "dev", name, "noprefixroute");
        ip("link", "set", name, "up");
        ip("route", "add", subnet + "0/24", "dev", name);
    }

    /** The same for every network that this machine is not joined to: they never meet. */
    public String address(int host) {
        return subnet + (host + 1);
    }

    /** What runs the rest of a command line on that host. */
    public List<String> on(int host) {
        return List.of("ip", "netns", "exec", namespace(host));
    }

    /** Its cable is pulled: what is sent to it or by it vanishes. What runs there still reaches what runs there, too. */
    public void cutOff(int host) {
        in(name, "link", "set", cable(host), "down");
    }

    public void mend(int host) {
        in(name, "link", "set", cable(host), "up");
    }

    private String namespace(int host) {
        return name + "-" + host;
    }

    private static String cable(int host) {
        return "cable" + host;
    }

    private static void in(String namespace, String... command) {
        List<String> all = new ArrayList<>(List.of("-n", namespace));
        all.addAll(List.of(command));
        ip(all.toArray(String[]::new));
    }

    private static void ip(String... command) {
        List<String> all = new ArrayList<>(List.of(Programs.find("ip", "iproute2", List.of())));
        all.addAll(List.of(command));
        try {
            Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new ServerException(String.join(" ", all) + ": " + said.strip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted", e);
        }
    }

    @Override
    public void close() {
        for (int host = 0; host < count; host++) {
            forget(namespace(host));
        }
        forget(name);
    }

    private static void forget(String namespace) {
        try {
            ip("netns", "del", namespace);
        } catch (ServerException e) {
            // it was never made, or is gone
        }
    }
}
