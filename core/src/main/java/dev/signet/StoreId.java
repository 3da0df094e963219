package dev.signet;

import java.util.UUID;

/**
 * The name that a store made for itself at its first initialisation. A wiped store is another store, and its tokens
 * mean nothing at fences that were sealed from the first. Immutable.
 */
public record StoreId(String value) {

    /** @throws IllegalArgumentException if the value breaks the rule for names */
    public StoreId {
        Names.require("store id", value);
    }

    public static StoreId random() {
        return new StoreId(UUID.randomUUID().toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
