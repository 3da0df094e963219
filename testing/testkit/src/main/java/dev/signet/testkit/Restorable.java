package dev.signet.testkit;

/** Implemented by an adapter's {@link StoreContract} whose store can be put back to an old backup (C2). */
public interface Restorable {

    /**
     * Takes a backup of all that the store knows now.
     *
     * @return puts the store back to it. The kit has closed its clients by then, and runs no other test of that class
     *     meanwhile
     */
    Runnable backUp();
}
