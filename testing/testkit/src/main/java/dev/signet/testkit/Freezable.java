package dev.signet.testkit;

/**
 * Implemented by an adapter's {@link StoreContract} whose store has a server that can be made to stand still (C11, C18). The
 * kit runs no other test of that class meanwhile, and thaws what it froze.
 */
public interface Freezable {

    /** From when this returns the server stands still, as under SIGSTOP: connections stay, and nothing is answered. */
    void freeze();

    /** It goes on, with whatever has come in meanwhile. Idempotent. */
    void thaw();
}
