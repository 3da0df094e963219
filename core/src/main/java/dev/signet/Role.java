package dev.signet;

/**
 * The name of something that must have one owner at a time, such as {@code ledger-writer} or {@code nightly-billing}.
 *
 * <p>1 to 200 bytes of UTF-8 in Unicode normalization form C, without control characters. Names are compared by their
 * bytes: {@code role}, {@code Role} and {@code rôle} are three roles in every store. Immutable.
 */
public record Role(String name) implements Comparable<Role> {

    /** @throws IllegalArgumentException if the name breaks the rule above; the message says which part of it */
    public Role {
        Names.require("role", name);
    }

    public static Role of(String name) {
        return new Role(name);
    }

    @Override
    public int compareTo(Role other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
