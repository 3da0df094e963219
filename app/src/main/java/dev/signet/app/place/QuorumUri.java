package dev.signet.app.place;

import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Redaction;
import dev.signet.app.cli.Surroundings;
import dev.signet.store.quorum.QuorumStoreOptions;
import dev.signet.store.quorum.wire.Tls;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which voters a quorum has, and how they are reached.
 *
 * @param shown for people, and good to be given again
 */
public record QuorumUri(String shown, QuorumStoreOptions options) {

    static final String SCHEME = "quorum";
    static final String FORM = "quorum://HOST:PORT[,HOST:PORT…][?cacert=FILE[&cert=FILE&key=FILE]]";

    private static final String AUTHORITY = "cacert";
    private static final String CERTIFICATE = "cert";
    private static final String KEY = "key";
    private static final List<String> PARAMETERS = List.of(AUTHORITY, CERTIFICATE, KEY);

    /** {@code --store}, for a command that only a quorum has. */
    public static Option<QuorumUri> in(Options options) {
        return options.required(
                StoreOptions.STORE, "URI", text -> parse(text, options.surroundings()), "Which voters: " + FORM + ".");
    }

    private static QuorumUri parse(String uri, Surroundings surroundings) {
        String prefix = SCHEME + ":";
        if (!uri.startsWith(prefix)) {
            throw malformed(uri, "only a quorum has this; write " + FORM);
        }
        return of(uri.substring(prefix.length()), surroundings);
    }

    /**
     * @param rest what stands after {@code quorum:}
     * @throws IllegalArgumentException if no quorum can be there
     */
    static QuorumUri of(String rest, Surroundings surroundings) {
        String uri = SCHEME + ":" + rest;
        String[] parts = rest.split("[?]", 2);
        String[] voters = parts[0].replaceFirst("^//", "").split(",", -1);
        if (!rest.startsWith("//") || Stream.of(voters).anyMatch(String::isEmpty)) {
            throw malformed(uri, "write " + FORM);
        }
        try {
            QuorumStoreOptions plain = QuorumStoreOptions.of(voters);
            Optional<Tls> tls = parts.length == 1 ? Optional.empty() : Optional.of(tls(parts[1], surroundings));
            return new QuorumUri(uri, tls.map(plain::withTls).orElse(plain));
        } catch (IllegalArgumentException e) {
            throw malformed(uri, String.valueOf(e.getMessage()));
        }
    }

    private static Tls tls(String query, Surroundings surroundings) {
        Map<String, Path> files = new HashMap<>();
        for (String parameter : query.split("&", -1)) {
            String[] parts = parameter.split("=", 2);
            if (!PARAMETERS.contains(parts[0]) || parts.length == 1 || parts[1].isEmpty()) {
                throw new IllegalArgumentException("'" + parts[0] + "' is none of " + PARAMETERS + " with a file");
            }
            files.put(parts[0], surroundings.path(parts[1]));
        }
        Optional<Path> authority = Optional.ofNullable(files.get(AUTHORITY));
        Optional<Path> certificate = Optional.ofNullable(files.get(CERTIFICATE));
        Optional<Path> key = Optional.ofNullable(files.get(KEY));
        if (authority.isEmpty() || certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException("TLS takes cacert, and both or none of cert and key");
        }
        return new Tls(authority.get(), certificate.map(own -> new Tls.Identity(own, key.orElseThrow())), false);
    }

    private static IllegalArgumentException malformed(String uri, String rule) {
        return new IllegalArgumentException("'" + Redaction.of(uri) + "': " + Redaction.of(rule));
    }
}
