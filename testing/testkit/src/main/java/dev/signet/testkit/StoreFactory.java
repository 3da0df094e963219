package dev.signet.testkit;

import dev.signet.Namespace;
import dev.signet.store.Store;

/** Makes clients of a store in another process than the test's: public, with a public constructor without parameters. */
public interface StoreFactory {

    /** @param place what {@link Shared#place} said */
    Store connect(String place, Namespace namespace);
}
