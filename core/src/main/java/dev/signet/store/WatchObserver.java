package dev.signet.store;

/** Hears of a role's record. Called by a thread of the store's, one call at a time; must not block. */
public interface WatchObserver {

    /** The record, first as it is when the watch begins, then after each change. Versions never go back. */
    void observed(RoleView view);

    /** The watch has ended by a fault; changes since the last view may be missed. The observer asks for a new one. */
    void broken(String cause);
}
