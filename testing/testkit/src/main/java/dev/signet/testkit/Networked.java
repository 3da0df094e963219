package dev.signet.testkit;

import dev.signet.Namespace;
import dev.signet.store.Store;

/** Implemented by an adapter's {@link StoreContract} whose clients reach their store over a network (C8, C11). */
public interface Networked {

    /** A client with a network of its own to the store under test. The kit closes the line. */
    Line line(Namespace namespace);

    /** A client, and the network between it and the server: a proxy, say, that the client connects to. */
    interface Line extends AutoCloseable {

        Store store();

        /** From when this returns packets vanish, both ways: nothing arrives and nobody is told. */
        void vanish();

        /** Connections are reset, and new ones refused. */
        void cut();

        /** New connections work; whether the old ones go on is the network's affair. */
        void mend();

        /** Closes the client and whatever was set up for it. */
        @Override
        void close();
    }
}
