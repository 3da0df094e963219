package dev.signet.store;

import java.time.Duration;
import java.util.Optional;

/**
 * What a store is, said aloud in the API, the log and on the page. Immutable.
 *
 * @param name for people, without secrets, such as {@code local:/home/ada/.local/state/signet/signet.db}
 * @param warning what its users must know before they rely on it, in one sentence; empty for a quorum
 * @param wholeSecondLeases whether it keeps leases in whole seconds only
 * @param linearizableReads whether {@link Store#read} shows every write acknowledged before it was asked; else it may
 *     be a recent state. Nothing safe rests on either
 * @param wakeBound within which a waiter is told of a role that became free
 */
public record StoreTraits(
        String name,
        Kind kind,
        Optional<String> warning,
        boolean wholeSecondLeases,
        boolean linearizableReads,
        Duration wakeBound) {

    public enum Kind {
        /** A majority of voters decides. */
        QUORUM,
        /** One server decides; its loss is the loss of the store. */
        SINGLE_SERVER,
        /** One machine's processes only. */
        SINGLE_HOST,
        /** One process only: for tests. */
        IN_PROCESS
    }
}
