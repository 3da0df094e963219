package dev.signet.store.jdbc;

import dev.signet.StoreException;
import dev.signet.StoreId;
import dev.signet.store.StoreRefusal;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * The layout of the file: how it is made, and how ours is told from others.
 *
 * <p>A role's record refers to its holder's session by a number that is never used twice; it is held while that session has
 * a row. So the end of a session with ten thousand roles is the deletion of one row, and a token survives all of it.
 * Versions come from one sequence for the whole file, so that whoever watches asks for what is above the last one it saw.
 */
final class FileSchema {

    /** "SIGN", where SQLite files say whose they are. */
    static final int APPLICATION_ID = 0x5349474E;

    private static final long PATIENCE_NANOS = 5_000_000_000L;

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private static final List<String> FIRST = List.of(
            "CREATE TABLE signet_store (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), store_id TEXT NOT NULL) STRICT",
            """
            CREATE TABLE signet_session (
                number        INTEGER PRIMARY KEY AUTOINCREMENT,
                namespace     BLOB NOT NULL,
                id            BLOB NOT NULL,
                candidate     BLOB NOT NULL,
                public_uri    TEXT,
                internal_uri  TEXT,
                lease_nanos   INTEGER NOT NULL CHECK (lease_nanos > 0),
                boot_id       TEXT NOT NULL,
                ends_at_nanos INTEGER NOT NULL,
                renewals      INTEGER NOT NULL,
                held_digest   INTEGER NOT NULL,
                UNIQUE (namespace, id)
            ) STRICT""",
            """
            CREATE TABLE signet_ended_session (
                ordinal   INTEGER PRIMARY KEY AUTOINCREMENT,
                namespace BLOB NOT NULL,
                id        BLOB NOT NULL,
                UNIQUE (namespace, id)
            ) STRICT""",
            """
            CREATE TABLE signet_role (
                namespace         BLOB NOT NULL,
                name              BLOB NOT NULL,
                version           INTEGER NOT NULL UNIQUE CHECK (version > 0),
                token             INTEGER NOT NULL CHECK (token BETWEEN 0 AND 9007199254740991),
                holder            INTEGER,
                attempt           INTEGER,
                term_high         INTEGER,
                term_low          INTEGER,
                candidate         BLOB,
                public_uri        TEXT,
                internal_uri      TEXT,
                kept_for          INTEGER,
                kept_candidate    BLOB,
                kept_window_nanos INTEGER,
                kept_boot_id      TEXT,
                kept_until_nanos  INTEGER,
                PRIMARY KEY (namespace, name)
            ) STRICT, WITHOUT ROWID""",
            "CREATE INDEX signet_role_of_holder ON signet_role (holder) WHERE holder IS NOT NULL",
            """
            CREATE TABLE signet_campaign (
                session  INTEGER NOT NULL,
                role     BLOB NOT NULL,
                enlisted INTEGER NOT NULL DEFAULT 0 CHECK (enlisted IN (0, 1)),
                answered INTEGER NOT NULL DEFAULT 0,
                released INTEGER NOT NULL DEFAULT 0,
                PRIMARY KEY (session, role)
            ) STRICT, WITHOUT ROWID""",
            "PRAGMA application_id = " + APPLICATION_ID);

    /** What a session holds is noted beside its record, so that on servers a renewal never waits for a grant. */
    private static final List<String> HOLDINGS_APART = List.of(
            "CREATE TABLE signet_holding (session INTEGER PRIMARY KEY, digest INTEGER NOT NULL) STRICT",
            "INSERT INTO signet_holding SELECT number, held_digest FROM signet_session",
            "ALTER TABLE signet_session DROP COLUMN held_digest");

    static final Layout LAYOUT = new Layout(List.of(FIRST, HOLDINGS_APART));

    private FileSchema() {}

    /**
     * Makes the store, whole or not at all: it is built under another name and then given its own, which fails where another
     * was faster.
     *
     * @return what is there afterwards
     */
    static LaidOut init(Place place) {
        place.prepareFolder();
        if (place.exists()) {
            return upgraded(place);
        }
        Path draft = place.folder().resolve(".signet-" + StoreId.random() + ".init");
        try {
            try {
                create(draft);
                Files.createLink(place.file(), draft);
            } catch (FileAlreadyExistsException e) {
                return upgraded(place);
            } finally {
                for (String suffix : List.of("", "-journal", "-wal", "-shm")) {
                    Files.deleteIfExists(draft.resolveSibling(draft.getFileName() + suffix));
                }
            }
            force(place.folder());
            return new LaidOut(upgraded(place).storeId(), 0, LAYOUT.version());
        } catch (SQLException e) {
            throw FileFaults.exception(place.file(), e);
        } catch (UnsupportedOperationException e) {
            throw FileFaults.exception(place.file(), new IOException("its file system has no hard links", e));
        } catch (IOException e) {
            throw FileFaults.exception(place.file(), e);
        }
    }

    private static void create(Path draft) throws SQLException, IOException {
        boolean posix = draft.getFileSystem().supportedFileAttributeViews().contains("posix");
        Files.createFile(
                draft,
                posix
                        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                        : new FileAttribute<?>[0]);
        try (SqliteLink link = SqliteLink.to(draft)) {
            // nobody else sees it yet, and it is forced to the disk as a whole below
            link.execute("PRAGMA journal_mode=MEMORY");
            link.execute("PRAGMA synchronous=OFF");
            link.execute("BEGIN");
            lay(link, 0);
            link.update(
                    "INSERT INTO signet_store VALUES (1, ?)", StoreId.random().value());
            link.execute("COMMIT");
            link.execute("PRAGMA journal_mode=WAL");
        }
        force(draft);
    }

    private static void lay(SqliteLink link, long from) throws SQLException {
        LAYOUT.upgrade(link, from);
        link.execute("PRAGMA user_version = " + LAYOUT.version());
    }

    /** A name in a folder lasts when the folder is on the disk; a system that cannot do that is left alone. */
    private static void force(Path path) throws IOException {
        boolean folder = Files.isDirectory(path);
        try (FileChannel channel =
                FileChannel.open(path, folder ? StandardOpenOption.READ : StandardOpenOption.WRITE)) {
            channel.force(true);
        } catch (IOException e) {
            if (!folder) {
                throw e;
            }
        }
    }

    /** @throws StoreException if there is no store of this version */
    static StoreId id(Place place) {
        place.requireUsable();
        return patiently(place, link -> {
            link.beginReading();
            return verify(link, place.file());
        });
    }

    private static LaidOut upgraded(Place place) {
        place.requireUsable();
        return patiently(place, link -> {
            link.beginWriting(true);
            requireOurs(link, place.file());
            long version = version(link);
            if (LAYOUT.isOlder(version)) {
                lay(link, version);
            }
            StoreId id = verify(link, place.file());
            link.commit();
            return new LaidOut(id, (int) version, LAYOUT.version());
        });
    }

    private interface Work<T> {
        T on(SqliteLink link) throws SQLException;
    }

    /** Again and again while others have the file locked, for a while. */
    private static <T> T patiently(Place place, Work<T> work) {
        for (long started = System.nanoTime(); ; Retry.pause()) {
            try (SqliteLink link = SqliteLink.to(place.file())) {
                return work.on(link);
            } catch (SQLException e) {
                if (!SqliteLink.isBusy(e)) {
                    throw FileFaults.exception(place.file(), e);
                }
                if (System.nanoTime() - started > PATIENCE_NANOS) {
                    throw new StoreException(
                            new StoreRefusal(
                                    StoreRefusal.Kind.UNREACHABLE,
                                    "another process keeps " + place.file() + " locked; try again"),
                            e);
                }
            }
        }
    }

    /** @throws StoreException if the file is not a store of this version */
    static StoreId verify(Link link, Path file) throws SQLException {
        requireOurs(link, file);
        long version = version(link);
        if (LAYOUT.isOlder(version)) {
            throw Place.refusal(
                    StoreRefusal.Kind.OTHER_VERSION,
                    file + " has the older layout version " + version + "; bring it up to " + LAYOUT.version()
                            + ", while nobody uses it, with: " + Place.initCommand(file));
        }
        if (version > LAYOUT.version()) {
            throw Place.refusal(
                    StoreRefusal.Kind.OTHER_VERSION,
                    file + " has layout version " + version + ", and this Signet knows " + LAYOUT.version()
                            + "; use the Signet that made it, or a newer one");
        }
        try (var rows = link.query("SELECT store_id FROM signet_store")) {
            if (!rows.next()) {
                throw new StoreException(FileFaults.damaged(file, "it has lost its id"), null);
            }
            return new StoreId(rows.getString(1));
        } catch (IllegalArgumentException e) {
            throw new StoreException(FileFaults.damaged(file, "its id is no id"), e);
        }
    }

    private static void requireOurs(Link link, Path file) throws SQLException {
        if (link.number("PRAGMA application_id") != APPLICATION_ID) {
            throw Place.refusal(
                    StoreRefusal.Kind.FOREIGN_OR_CORRUPT,
                    file + " is a database of another program; name another file for the store");
        }
    }

    private static long version(Link link) throws SQLException {
        return link.number("PRAGMA user_version");
    }
}
