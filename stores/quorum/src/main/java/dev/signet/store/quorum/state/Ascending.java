package dev.signet.store.quorum.state;

import org.jspecify.annotations.Nullable;

/** Refuses what is not after what came before: there is one order only in which things are written. Mutable. */
final class Ascending<T extends Comparable<T>> {

    private @Nullable T last;

    T next(T value) throws Unreadable {
        if (last != null && value.compareTo(last) <= 0) {
            throw new Unreadable("'" + value + "' comes after '" + last + "'");
        }
        last = value;
        return value;
    }
}
