package dev.signet.testkit;

import dev.signet.Stamp;

/** A connection of an application that writes to a {@link FenceSite}. Throws unchecked what goes wrong. For one thread. */
public interface FenceWriter extends AutoCloseable {

    /** Reads the ledger, by which a transaction gets its snapshot where its level has one. */
    void read();

    /** The adapter's bare check. */
    void check(Stamp stamp);

    /** One row, with the token of this stamp, unchecked. */
    void write(String what, Stamp stamp);

    /** Sets one, and returns what goes back to it. */
    Runnable savepoint();

    /**
     * Has the database end the transaction in a way that neither the driver nor the fence is told of: an error after which it
     * rolls all back, or SQL that commits where nobody looks for it.
     *
     * @throws UnsupportedOperationException if there is no such way
     */
    default void endUnseen() {
        throw new UnsupportedOperationException("this database ends no transaction unseen");
    }

    void commit();

    void rollback();

    /**
     * Lets the transaction outlive its session: the first half of a two-phase commit.
     *
     * @return what commits it
     */
    Runnable prepare();

    /** Ends the session, and what is open in it. Never throws. */
    @Override
    void close();
}
