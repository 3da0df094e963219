package dev.signet.app.place;

import dev.signet.app.cli.Surroundings;

/** One kind of store URI. */
interface StoreScheme {

    /** What stands before the colon. */
    String name();

    /** For help: how a URI of it looks. */
    String form();

    /**
     * Touches nothing.
     *
     * @param rest what stands after the colon
     * @throws IllegalArgumentException if it names no store; without the password that it may hold
     */
    StorePlace place(String rest, Surroundings surroundings);
}
