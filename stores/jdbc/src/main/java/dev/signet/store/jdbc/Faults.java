package dev.signet.store.jdbc;

import java.util.Objects;

/** Faults in words. */
final class Faults {

    private Faults() {}

    static String text(Exception fault) {
        return Objects.requireNonNullElse(fault.getMessage(), fault.toString());
    }
}
