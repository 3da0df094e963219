package dev.signet.servers;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What can be set about a {@link MariaDbServer}. Immutable.
 *
 * @param settings options of {@code mariadbd}, by name and without dashes; they win over those that it has for tests
 * @param transport how clients connect
 */
public record MariaDbOptions(Map<String, String> settings, Transport transport) {

    public MariaDbOptions {
        settings = Map.copyOf(settings);
    }

    /** No encryption, and nothing is forced to disk: data survives a kill of the server, not one of the machine. */
    public static MariaDbOptions defaults() {
        return new MariaDbOptions(Map.of(), Transport.PLAIN);
    }

    /** @param name as on the command line, such as {@code innodb-lock-wait-timeout} */
    public MariaDbOptions withSetting(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(name, value);
        return new MariaDbOptions(more, transport);
    }

    public MariaDbOptions withTransport(Transport other) {
        return new MariaDbOptions(settings, other);
    }
}
