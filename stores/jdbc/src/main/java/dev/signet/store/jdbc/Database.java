package dev.signet.store.jdbc;

import dev.signet.StoreException;
import dev.signet.StoreId;
import dev.signet.store.StoreRefusal;
import java.sql.SQLException;
import java.util.Optional;

/** What a store's connections lead to. Thread-safe. Its text is its name for people, without secrets. */
interface Database {

    /** A connection that was found to lead to a store of ours. */
    record Opened(Link link, StoreId storeId, Optional<Object> identity) {}

    /** What a connection is for. */
    enum Use {
        WRITES,
        READS,
        WATCHES
    }

    /** @throws StoreException if there is no store of ours, or not for us */
    Opened connect(Use use) throws SQLException;

    /** What keeps a call waiting for a connection, for people. */
    String whileConnecting();

    /** Whether a connection made now would lead to the same database. */
    boolean isStill(Opened opened);

    /** What a fault says about the database that lasts; empty where it says nothing lasting. */
    Optional<StoreRefusal> refusal(SQLException fault);

    /** Whether the transaction failed because of what others do just now, so that doing it again helps. */
    boolean isBusy(SQLException fault);

    /** Whether the connection is lost, so that another may work. */
    boolean isLost(SQLException fault);

    /** A moment after which it makes sense to ask again, the longer the more often it was in vain. */
    void pause(int tries);
}
