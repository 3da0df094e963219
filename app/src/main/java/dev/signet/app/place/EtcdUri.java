package dev.signet.app.place;

import dev.signet.app.cli.Redaction;
import dev.signet.store.etcd.EtcdStoreOptions;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where a store in etcd lies, and what is said of how to use it.
 *
 * @param place as it was written, up to the parameters
 * @param parameters by name, in their order; one of them may be a password
 */
record EtcdUri(boolean secure, String place, List<URI> members, String prefix, Map<String, String> parameters) {

    static final String USER = "user";
    static final String PASSWORD = "password";
    static final String AUTHORITY = "cacert";
    static final String CERTIFICATE = "cert";
    static final String KEY = "key";

    private static final Set<String> OF_TLS = new TreeSet<>(Set.of(AUTHORITY, CERTIFICATE, KEY));

    private static final Pattern PARTS = Pattern.compile(
            "(?<place>//(?<hosts>[^/?#]*)(?:/(?<prefix>[^?#]*))?)(?:[?](?<parameters>.*))?", Pattern.DOTALL);

    EtcdUri {
        parameters = new LinkedHashMap<>(parameters);
    }

    static String scheme(boolean secure) {
        return secure ? "etcds" : "etcd";
    }

    static String form(boolean secure) {
        return scheme(secure) + "://HOST[:PORT][,HOST…][/PREFIX]";
    }

    /**
     * @param secure whether with TLS
     * @param rest what stands after the scheme
     * @throws IllegalArgumentException if no store can be there; it tells no password
     */
    static EtcdUri of(boolean secure, String rest) {
        String uri = scheme(secure) + ":" + rest;
        Matcher parts = PARTS.matcher(rest);
        if (!parts.matches()) {
            throw malformed(uri, "write " + form(secure));
        }
        String hosts = parts.group("hosts");
        if (hosts.indexOf('@') >= 0) {
            throw malformed(uri, "name the user by ?user=NAME or --store-user NAME, not before the host");
        }
        String prefix = Optional.ofNullable(parts.group("prefix"))
                .filter(given -> !given.isEmpty())
                .orElse(EtcdStoreOptions.DEFAULT_PREFIX);
        if (prefix.endsWith("/")) {
            throw malformed(uri, "a prefix does not end with a slash");
        }
        List<URI> members = Stream.of(hosts.split(",", -1))
                .map(host -> member(uri, secure, host))
                .toList();
        return new EtcdUri(
                secure,
                scheme(secure) + ":" + parts.group("place"),
                members,
                prefix,
                parameters(uri, secure, Optional.ofNullable(parts.group("parameters"))));
    }

    private static URI member(String uri, boolean secure, String host) {
        HostPort.fault(host).ifPresent(fault -> {
            throw malformed(uri, fault);
        });
        URI member = URI.create((secure ? "https://" : "http://") + host);
        if (member.getHost() == null) {
            throw malformed(uri, "'" + host + "' is no HOST or HOST:PORT");
        }
        return member;
    }

    private static Map<String, String> parameters(String uri, boolean secure, Optional<String> text) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String parameter : text.filter(given -> !given.isEmpty())
                .map(given -> given.split("&", -1))
                .orElse(new String[0])) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            String value = equals < 0 ? "" : parameter.substring(equals + 1);
            if (!secure && OF_TLS.contains(name)) {
                throw malformed(uri, name + " is of TLS: write " + scheme(true) + "://");
            }
            if (!OF_TLS.contains(name) && !name.equals(USER) && !name.equals(PASSWORD)) {
                throw malformed(
                        uri,
                        "there is no parameter '" + name + "'; there are: user, password"
                                + (secure ? ", cacert, cert, key" : ""));
            }
            if (value.isEmpty()) {
                throw malformed(uri, name + " has no value");
            }
            // files are named as they are
            parameters.put(name, OF_TLS.contains(name) ? value : decoded(uri, name, value));
        }
        if (parameters.containsKey(CERTIFICATE) != parameters.containsKey(KEY)) {
            throw malformed(uri, "cert and key go together");
        }
        return parameters;
    }

    /** Of what has a {@code &} or a {@code %}; a {@code +} is one. */
    private static String decoded(String uri, String name, String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // not as the cause: its message repeats a part of the value
            throw malformed(uri, "in the value of " + name + " a '%' has to be written as %25");
        }
    }

    private static IllegalArgumentException malformed(String uri, String rule) {
        return new IllegalArgumentException("'" + Redaction.of(uri) + "': " + rule);
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /** For people, and good to be given again: without the password. */
    String shown() {
        String shown = parameters.entrySet().stream()
                .filter(each -> !each.getKey().equals(PASSWORD))
                .map(each -> each.getKey() + "="
                        + (each.getKey().equals(USER)
                                ? each.getValue().replace("%", "%25").replace("&", "%26")
                                : each.getValue()))
                .collect(Collectors.joining("&"));
        return shown.isEmpty() ? place : place + "?" + shown;
    }

    /** The same, used by whoever is named elsewhere. */
    EtcdUri withoutUser() {
        Map<String, String> others = new LinkedHashMap<>(parameters);
        others.remove(USER);
        return new EtcdUri(secure, place, members, prefix, others);
    }

    /** No secret gets out by a record's text. */
    @Override
    public String toString() {
        return shown();
    }
}
