package dev.signet.benchmarks.quorum;

import dev.signet.store.Store;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The one store that all candidates of this process share, and that ends with it. Thread-safe. */
final class SharedStore {

    private static @Nullable Store store;

    private SharedStore() {}

    static synchronized Store get(Supplier<Store> first) {
        Store known = store;
        if (known == null) {
            known = first.get();
            store = known;
        }
        return known;
    }
}
