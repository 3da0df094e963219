package dev.signet.app.place;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * As whom a store is used, as far as that was said beside its URI. It has no text: that would be the place where a password
 * gets out.
 *
 * @param password asked for anew for each connection
 */
public record StoreCredentials(Optional<String> user, Optional<Supplier<String>> password) {

    public static final StoreCredentials NONE = new StoreCredentials(Optional.empty(), Optional.empty());

    @Override
    public String toString() {
        return "credentials";
    }
}
