package dev.signet.store.jdbc;

import dev.signet.StoreException;
import dev.signet.store.StoreRefusal;
import dev.signet.store.StoreRefusal.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import org.sqlite.SQLiteErrorCode;

/** What the faults of SQLite and of the file system mean to people, each with what to do. */
final class FileFaults {

    private FileFaults() {}

    /** Empty where the fault says nothing lasting about the file, such as an error of the disk. */
    static Optional<StoreRefusal> refusal(Path file, SQLException fault) {
        return switch (SQLiteErrorCode.getErrorCode(fault.getErrorCode() & 0xff)) {
            case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_MISMATCH ->
                Optional.of(damaged(file, Faults.text(fault)));
            case SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_AUTH ->
                Optional.of(notPermitted(file + " cannot be opened for writing (" + Faults.text(fault) + ")"));
            case SQLITE_FULL -> Optional.of(full(file));
            default -> Optional.empty();
        };
    }

    static StoreException exception(Path file, SQLException fault) {
        StoreRefusal why = refusal(file, fault).orElseGet(() -> unsuitable(file, Faults.text(fault)));
        return new StoreException(why, fault);
    }

    static StoreException exception(Path file, IOException fault) {
        String text = Faults.text(fault);
        if (text.contains("No space left")) {
            return new StoreException(full(file), fault);
        }
        return new StoreException(
                fault instanceof AccessDeniedException
                        ? notPermitted("this user may not write " + text)
                        : unsuitable(file, text),
                fault);
    }

    static StoreRefusal damaged(Path file, String how) {
        return new StoreRefusal(
                Kind.FOREIGN_OR_CORRUPT,
                file + " is damaged or no store (" + how + "); restore it, or name another file for the store");
    }

    static StoreRefusal notPermitted(String what) {
        return new StoreRefusal(
                Kind.NOT_PERMITTED, what + "; give this user the rights, or name another place for the store");
    }

    private static StoreRefusal unsuitable(Path file, String how) {
        return new StoreRefusal(
                Kind.UNSUITABLE_PLACE,
                "no store can be kept at " + file + " (" + how + "); name another place for the store");
    }

    private static StoreRefusal full(Path file) {
        return new StoreRefusal(
                Kind.NO_SPACE, "there is no room left to write " + file + "; free some, then try again");
    }
}
