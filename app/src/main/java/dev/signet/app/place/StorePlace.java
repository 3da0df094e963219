package dev.signet.app.place;

import dev.signet.Namespace;
import dev.signet.StoreId;
import dev.signet.store.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A store that was named, and that may not be there yet. */
public interface StorePlace {

    /** The URI in full, without secrets: for people, and good to be given as {@code --store} again. */
    String shown();

    /** The file of this host that it is, if it is one: what the leader writes must not lie in the same. */
    Optional<Path> localFile();

    /** For a store that asks who comes: the same, with these. Any other is its own. */
    default StorePlace with(StoreCredentials credentials) {
        return this;
    }

    /**
     * Whether it is not there, and is one that makes itself at the first use: only what nobody had to name, since a mistyped name
     * must not found a store.
     */
    boolean isMadeByUse();

    /**
     * Makes the store where there is none, and brings up one of an older layout; any other of ours stays as it is. Blocks.
     *
     * @throws dev.signet.StoreException if there is something else at its place, or it cannot be made
     */
    SetUp init();

    /**
     * The id of the store that is there. Makes and changes nothing. Blocks.
     *
     * @throws dev.signet.StoreException if there is none that can be used as it is
     */
    StoreId id();

    /**
     * @param attempt how long one request is waited for
     * @throws dev.signet.StoreException if it cannot be used as it is
     */
    Store open(Namespace namespace, Duration attempt);

    /**
     * What {@link #init} came to.
     *
     * @param layoutBefore the version of the layout that was there; 0 for nothing
     * @param layout the version that is there
     * @param folder that was made for it, if one was
     */
    record SetUp(StoreId storeId, int layoutBefore, int layout, Optional<Path> folder) {

        /** Whether there was no store. */
        public boolean isMade() {
            return layoutBefore == 0;
        }
    }
}
