package dev.signet.store.etcd;

import com.google.protobuf.ByteString;
import dev.signet.StoreId;
import dev.signet.store.StoreRefusal;
import io.etcd.jetcd.api.KeyValue;
import java.util.Optional;

/**
 * What lies under the store's own key: made once, and never changed. Immutable.
 *
 * @param revision at which it was written
 */
record StoreEntry(StoreId id, long revision) {

    static final int LAYOUT = 1;

    /**
     * @param name of the store, for people
     * @throws Unusable if there is none, or one of another layout
     */
    static StoreEntry of(Optional<KeyValue> entry, String name) {
        KeyValue found = entry.orElseThrow(() -> new Unusable(new StoreRefusal(
                StoreRefusal.Kind.NOT_INITIALISED,
                "there is no store in " + name + "; make one with: signet init --store " + name)));
        Fields fields = Fields.parse(found.getValue());
        if (fields.number("layout") != LAYOUT) {
            throw new Unusable(new StoreRefusal(
                    StoreRefusal.Kind.OTHER_VERSION,
                    "the store in " + name + " has layout version " + fields.text("layout") + ", and this Signet knows "
                            + LAYOUT + "; use the Signet that made it"));
        }
        return new StoreEntry(new StoreId(fields.text("id")), found.getModRevision());
    }

    /** Of a new one. */
    static ByteString bytes(StoreId id) {
        return new Fields().with("layout", LAYOUT).with("id", id).bytes();
    }
}
