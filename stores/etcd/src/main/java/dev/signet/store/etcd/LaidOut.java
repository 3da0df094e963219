package dev.signet.store.etcd;

import dev.signet.StoreId;

/**
 * What setting a store up came to.
 *
 * @param before the version of the layout that was there; 0 for nothing
 * @param now the version that is there
 */
public record LaidOut(StoreId storeId, int before, int now) {

    /** Whether there was no store. */
    public boolean isMade() {
        return before == 0;
    }
}
