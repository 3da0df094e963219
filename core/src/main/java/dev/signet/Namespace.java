package dev.signet;

/**
 * Keeps the roles of different users of one store apart: two namespaces on one server never see each other. Same rule
 * for names as {@link Role}. Immutable.
 */
public record Namespace(String name) {

    public static final Namespace DEFAULT = new Namespace("default");

    /** @throws IllegalArgumentException if the name breaks the rule for names */
    public Namespace {
        Names.require("namespace", name);
    }

    @Override
    public String toString() {
        return name;
    }
}
