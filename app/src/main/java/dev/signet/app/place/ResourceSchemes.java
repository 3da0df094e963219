package dev.signet.app.place;

import dev.signet.ResourceName;
import dev.signet.app.cli.Redaction;
import dev.signet.app.cli.Surroundings;
import java.util.List;
import java.util.stream.Collectors;

/** The resources that can be fenced. */
final class ResourceSchemes {

    private static final List<ResourceScheme> ALL = List.of(new SqliteResourceScheme(), new JdbcResourceScheme());

    private ResourceSchemes() {}

    /**
     * @param uri {@code SCHEME:PLACE#RESOURCE}; the last {@code #} counts, as a path may hold one
     * @throws IllegalArgumentException if it names no resource; the message lists what exists
     */
    static ProtectedResource resource(String uri, Surroundings surroundings) {
        Schemes parts = Schemes.split(uri, forms());
        ResourceScheme found = ALL.stream()
                .filter(scheme -> scheme.name().equals(parts.scheme()))
                .findFirst()
                .orElseThrow(() -> parts.unknown("resource", forms()));
        int hash = parts.rest().lastIndexOf('#');
        if (hash < 0) {
            throw new IllegalArgumentException("'" + Redaction.of(uri) + "' does not name the resource; write "
                    + found.form() + ", such as " + Redaction.of(uri) + "#ledger");
        }
        ResourceName name = ResourceName.of(parts.rest().substring(hash + 1));
        return found.resource(parts.rest().substring(0, hash), name, surroundings);
    }

    static String forms() {
        return ALL.stream().map(ResourceScheme::form).collect(Collectors.joining(", "));
    }
}
