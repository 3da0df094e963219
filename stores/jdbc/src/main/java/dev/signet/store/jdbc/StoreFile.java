package dev.signet.store.jdbc;

import dev.signet.StoreException;
import dev.signet.store.StoreRefusal;
import java.sql.SQLException;
import java.util.Optional;

/** The file of one store. Thread-safe. */
final class StoreFile implements Database {

    private final Place place;
    private final LeaseClock clock;

    StoreFile(Place place, LeaseClock clock) {
        this.place = place;
        this.clock = clock;
    }

    @Override
    public Opened connect(Use use) throws SQLException {
        place.requireUsable();
        Optional<Object> identity = place.identity();
        SqliteLink link = SqliteLink.to(place.file(), clock);
        try {
            return new Opened(link, FileSchema.verify(link, place.file()), identity);
        } catch (SQLException | StoreException e) {
            link.close();
            throw e;
        }
    }

    @Override
    public String whileConnecting() {
        return "the file is not open yet";
    }

    /**
     * Whether the path still leads to the file that was opened. One that was removed or replaced goes on to work for those
     * who have it open, and they would go on to lead beside those who open the new one.
     */
    @Override
    public boolean isStill(Opened opened) {
        return place.identity().equals(opened.identity());
    }

    @Override
    public Optional<StoreRefusal> refusal(SQLException fault) {
        return FileFaults.refusal(place.file(), fault).filter(why -> why.kind() != StoreRefusal.Kind.NO_SPACE);
    }

    @Override
    public boolean isBusy(SQLException fault) {
        return SqliteLink.isBusy(fault);
    }

    @Override
    public boolean isLost(SQLException fault) {
        return false;
    }

    @Override
    public void pause(int tries) {
        Retry.pause();
    }

    @Override
    public String toString() {
        return "local:" + place.file();
    }
}
