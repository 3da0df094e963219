package dev.signet.store.quorum.wire;

import java.net.URI;
import java.net.URISyntaxException;

/** Where a voter listens: {@code host:port}. Immutable. */
public record Address(String host, int port) {

    private static final int HIGHEST_PORT = 65_535;

    public Address {
        if (host.isBlank() || port < 1 || port > HIGHEST_PORT) {
            throw new IllegalArgumentException("not host:port with a port of 1 to 65535: " + host + ":" + port);
        }
    }

    /** @throws IllegalArgumentException if it is not {@code host:port}; an IPv6 address stands in brackets */
    public static Address parse(String text) {
        try {
            URI uri = new URI("quorum://" + text);
            String host = uri.getHost();
            if (host == null || uri.getPort() < 0 || !uri.getRawAuthority().equals(text)) {
                throw new IllegalArgumentException("not host:port: " + text);
            }
            return new Address(host, uri.getPort());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("not host:port: " + text, e);
        }
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
