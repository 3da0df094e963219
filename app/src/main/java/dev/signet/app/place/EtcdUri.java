package dev.signet.app.place;

import dev.signet.app.cli.Redaction;
import dev.signet.store.etcd.EtcdStoreOptions;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where a store in etcd lies.
 *
 * @param shown for people, and good to be given again
 */
record EtcdUri(String shown, List<URI> members, String prefix) {

    static final String FORM = "etcd://HOST[:PORT][,HOST…][/PREFIX]";

    private static final Pattern PARTS = Pattern.compile("//(?<hosts>[^/?#]*)(?:/(?<prefix>[^?#]*))?");

    /**
     * @param rest what stands after {@code etcd:}
     * @throws IllegalArgumentException if no store can be there
     */
    static EtcdUri of(String rest) {
        String uri = "etcd:" + rest;
        Matcher parts = PARTS.matcher(rest);
        if (!parts.matches()) {
            throw malformed(uri, "write " + FORM);
        }
        String hosts = parts.group("hosts");
        String prefix = Optional.ofNullable(parts.group("prefix"))
                .filter(given -> !given.isEmpty())
                .orElse(EtcdStoreOptions.DEFAULT_PREFIX);
        if (prefix.endsWith("/")) {
            throw malformed(uri, "a prefix does not end with a slash");
        }
        return new EtcdUri(
                uri,
                Stream.of(hosts.split(",", -1)).map(host -> member(uri, host)).toList(),
                prefix);
    }

    private static URI member(String uri, String host) {
        HostPort.fault(host).ifPresent(fault -> {
            throw malformed(uri, fault);
        });
        URI member = URI.create("http://" + host);
        if (member.getHost() == null) {
            throw malformed(uri, "'" + host + "' is no HOST or HOST:PORT");
        }
        return member;
    }

    private static IllegalArgumentException malformed(String uri, String rule) {
        return new IllegalArgumentException("'" + Redaction.of(uri) + "': " + rule);
    }

    EtcdStoreOptions options() {
        return EtcdStoreOptions.of(members.toArray(URI[]::new))
                .withPrefix(prefix)
                .withName(shown);
    }
}
