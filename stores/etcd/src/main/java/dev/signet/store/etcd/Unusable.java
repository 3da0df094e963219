package dev.signet.store.etcd;

import dev.signet.store.StoreRefusal;

/** What is there cannot be used as a store. */
final class Unusable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient StoreRefusal why;

    Unusable(StoreRefusal why) {
        super(why.message());
        this.why = why;
    }

    StoreRefusal why() {
        return why;
    }
}
