package dev.signet.app.place;

import dev.signet.Namespace;
import dev.signet.StoreId;
import dev.signet.store.Store;
import java.nio.file.Path;
import java.util.Optional;

/** A store that was named, and that may not be there yet. */
public interface StorePlace {

    /** The URI in full, without secrets: for people, and good to be given as {@code --store} again. */
    String shown();

    /** The file of this host that it is, if it is one: what the leader writes must not lie in the same. */
    Optional<Path> localFile();

    /** Whether it makes itself at the first use: only what nobody had to name, since a mistyped name must not found a store. */
    boolean isMadeOnFirstUse();

    /** Whether there is something at the place, ours or not. */
    boolean exists();

    /**
     * Makes the store where there is none; where there is one of ours, nothing changes. Blocks.
     *
     * @return the store's id
     * @throws dev.signet.StoreException if there is something else at its place, or it cannot be made
     */
    StoreId init();

    /**
     * The id of the store that is there. Blocks.
     *
     * @throws dev.signet.StoreException if there is none
     */
    StoreId id();

    /** @throws dev.signet.StoreException if it cannot be used as it is */
    Store open(Namespace namespace);
}
