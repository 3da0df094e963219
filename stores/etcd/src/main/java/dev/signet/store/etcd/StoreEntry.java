package dev.signet.store.etcd;

import com.google.protobuf.ByteString;
import dev.signet.StoreId;
import dev.signet.store.StoreRefusal;
import io.etcd.jetcd.api.KeyValue;

/**
 * What lies under the store's own key: made once, by whoever opens the first session, and never changed. Immutable.
 *
 * @param revision at which it was written
 */
record StoreEntry(StoreId id, long revision) {

    private static final String LAYOUT = "1";

    /** @throws Unusable if it is of another layout */
    static StoreEntry of(KeyValue found) {
        Fields fields = Fields.parse(found.getValue());
        if (!fields.text("layout").equals(LAYOUT)) {
            throw new Unusable(new StoreRefusal(
                    StoreRefusal.Kind.OTHER_VERSION,
                    "the store at " + found.getKey().toStringUtf8() + " has layout " + fields.text("layout")
                            + ", and this Signet knows layout " + LAYOUT));
        }
        return new StoreEntry(new StoreId(fields.text("id")), found.getModRevision());
    }

    static ByteString bytes(StoreId id) {
        return new Fields().with("layout", LAYOUT).with("id", id).bytes();
    }
}
