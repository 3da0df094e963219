package dev.signet.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Hosts of a network of their own: a network namespace each, with a cable to one switch, which is in a namespace of its own. Nothing
 * of the machine's own network changes. It needs root, and the program {@code ip}. Not thread-safe; closing it is idempotent, and ends
 * no process.
 */
public final class Hosts implements AutoCloseable {

    private final String name;
    private final int count;

    private Hosts(String name, int count) {
        this.name = name;
        this.count = count;
    }

    /** @throws ServerException if this machine cannot make them */
    public static Hosts make(int count) {
        String name = "sgt%06x".formatted(ThreadLocalRandom.current().nextInt(1 << 24));
        Hosts hosts = new Hosts(name, count);
        try {
            hosts.begin();
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

    /** The same for every network: they never meet. */
    public String address(int host) {
        return "10.77.0." + (host + 1);
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
