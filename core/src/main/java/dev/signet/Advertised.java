package dev.signet;

import java.net.URI;
import java.util.Optional;

/** The addresses under which a candidate wants to be found while it leads; both may be absent. Immutable. */
public record Advertised(Optional<URI> publicUri, Optional<URI> internalUri) {

    public static final Advertised NOTHING = new Advertised(Optional.empty(), Optional.empty());

    public static Advertised at(URI uri) {
        return new Advertised(Optional.of(uri), Optional.of(uri));
    }
}
