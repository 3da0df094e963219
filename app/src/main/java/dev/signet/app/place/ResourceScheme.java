package dev.signet.app.place;

import dev.signet.ResourceName;
import dev.signet.app.cli.Surroundings;

/** One kind of URI of what a fence protects. */
interface ResourceScheme {

    /** What stands before the colon. */
    String name();

    /** For help: how a URI of it looks. */
    String form();

    /**
     * Touches nothing.
     *
     * @param rest what stands between the colon and the {@code #}
     * @throws IllegalArgumentException if it names no place of a resource; without the password that it may hold
     */
    ProtectedResource resource(String rest, ResourceName name, Surroundings surroundings);
}
