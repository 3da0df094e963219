package dev.signet;

/**
 * The name of something that must be protected, such as one ledger in one database; a fence keeps one row for it. Same
 * rule for names as {@link Role}. Immutable.
 */
public record ResourceName(String name) implements Comparable<ResourceName> {

    /** @throws IllegalArgumentException if the name breaks the rule for names */
    public ResourceName {
        Names.require("resource", name);
    }

    public static ResourceName of(String name) {
        return new ResourceName(name);
    }

    @Override
    public int compareTo(ResourceName other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
