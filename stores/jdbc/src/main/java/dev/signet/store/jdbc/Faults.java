package dev.signet.store.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Faults in words. */
final class Faults {

    private static final int DEEPEST = 10;

    private Faults() {}

    /** With the cause at the bottom of it where that is not said already: "The connection attempt failed" is no help. */
    static String text(Throwable fault) {
        String text = Objects.requireNonNullElse(fault.getMessage(), fault.toString());
        Throwable bottom = fault;
        for (int depth = 0; bottom.getCause() != null && depth < DEEPEST; depth++) {
            bottom = bottom.getCause();
        }
        String message = bottom.getMessage();
        return bottom == fault || (message != null && text.contains(message))
                ? text
                : text.replaceFirst("\\.?\\s*$", "") + ": " + shortName(bottom)
                        + (message == null ? "" : ": " + message);
    }

    /** It and its causes, from the top. */
    static List<Throwable> chain(Throwable fault) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable each = fault; each != null && chain.size() < DEEPEST; each = each.getCause()) {
            chain.add(each);
        }
        return chain;
    }

    private static String shortName(Throwable fault) {
        return fault.getClass().getSimpleName().replaceFirst("Exception$", "");
    }
}
