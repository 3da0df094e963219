package dev.signet.servers;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What can be set about a {@link PostgresServer}. Immutable.
 *
 * @param settings parameters of its configuration, by name; they win over those that it has for tests
 * @param authentication what it asks of whoever connects
 * @param transport how clients connect
 */
public record PostgresOptions(Map<String, String> settings, Authentication authentication, Transport transport) {

    /** What a server asks of whoever connects. */
    public enum Authentication {
        /** A name suffices. */
        TRUST,
        /** A password, by SCRAM-SHA-256. */
        SCRAM
    }

    public PostgresOptions {
        settings = Map.copyOf(settings);
    }

    /**
     * Nobody needs a password, nothing is encrypted, and nothing is forced to disk: data survives a kill of the server, not one of
     * the machine.
     */
    public static PostgresOptions defaults() {
        return new PostgresOptions(Map.of(), Authentication.TRUST, Transport.PLAIN);
    }

    /** @param name as in postgresql.conf, such as {@code fsync} */
    public PostgresOptions withSetting(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(name, value);
        return new PostgresOptions(more, authentication, transport);
    }

    public PostgresOptions withAuthentication(Authentication other) {
        return new PostgresOptions(settings, other, transport);
    }

    public PostgresOptions withTransport(Transport other) {
        return new PostgresOptions(settings, authentication, other);
    }
}
