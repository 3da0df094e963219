package dev.signet.store.jdbc;

import dev.signet.StoreException;
import dev.signet.StoreId;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;

/** The file of one store, and the connections that were made to it. Thread-safe. */
final class StoreFile {

    /** A connection that was found to lead to a store of ours. */
    record OpenLink(Link link, StoreId storeId, Optional<Object> identity) {}

    private final Place place;

    StoreFile(Place place) {
        this.place = place;
    }

    Path path() {
        return place.file();
    }

    /** @throws StoreException if it is absent or not ours */
    OpenLink connect() throws SQLException {
        place.requireUsable();
        Optional<Object> identity = place.identity();
        Link link = Link.to(place.file());
        try {
            return new OpenLink(link, Schema.verify(link, place.file()), identity);
        } catch (SQLException | StoreException e) {
            link.close();
            throw e;
        }
    }

    /**
     * Whether the path still leads to the file that was opened. One that was removed or replaced goes on to work for those
     * who have it open, and they would go on to lead beside those who open the new one.
     */
    boolean isStill(OpenLink opened) {
        return place.identity().equals(opened.identity());
    }

    @Override
    public String toString() {
        return "local:" + place.file();
    }
}
