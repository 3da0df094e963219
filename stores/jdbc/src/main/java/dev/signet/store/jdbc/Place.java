package dev.signet.store.jdbc;

import dev.signet.StoreException;
import dev.signet.store.StoreRefusal;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Where the file lies, judged without opening it: closing any descriptor of a file drops all the locks that this process
 * holds on it, SQLite's among them, so nothing but SQLite may ever open it.
 */
final class Place {

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /** File systems of several hosts: SQLite's locks and its shared memory reach the processes of one kernel only. */
    private static final Set<String> SHARED = Set.of(
            "9p",
            "acfs",
            "afpfs",
            "afs",
            "beegfs",
            "ceph",
            "cifs",
            "coda",
            "davfs",
            "gfs",
            "gfs2",
            "glusterfs",
            "gpfs",
            "lustre",
            "ncpfs",
            "nfs",
            "nfs4",
            "ocfs2",
            "orangefs",
            "pvfs2",
            "smb",
            "smb2",
            "smb3",
            "smbfs",
            "vboxsf",
            "virtiofs",
            "vmhgfs",
            "webdav");

    /** Programs that serve a folder of this very host; any other may reach over a network. */
    private static final Set<String> LOCAL_FUSE =
            Set.of("fuse.fuse-overlayfs", "fuse.gocryptfs", "fuse.encfs", "fuse.cryfs", "fuse.bindfs", "fuse.mergerfs");

    private final Path file;

    private Place(Path file) {
        this.file = file;
    }

    static Place of(Path file) {
        return new Place(file.toAbsolutePath().normalize());
    }

    Path file() {
        return file;
    }

    Path folder() {
        return Objects.requireNonNullElse(file.getParent(), file);
    }

    boolean exists() {
        return Files.exists(file);
    }

    /** @throws StoreException if the file cannot be used, as far as that shows from outside */
    void requireUsable() {
        if (!exists()) {
            requireVisible();
            throw refusal(
                    StoreRefusal.Kind.NOT_INITIALISED,
                    "there is no store at " + file + "; make one with: " + initCommand(file));
        }
        if (!Files.isRegularFile(file)) {
            throw refusal(
                    StoreRefusal.Kind.FOREIGN_OR_CORRUPT, file + " is not a regular file; name another for the store");
        }
        requireLocal(file);
        if (!Files.isReadable(file) || !Files.isWritable(file)) {
            throw notPermitted("this user may not read and write " + file);
        }
        requireWritableFolder();
    }

    /** That nothing is seen there means nothing where this user may not look. */
    private void requireVisible() {
        try {
            Files.readAttributes(file, BasicFileAttributes.class);
        } catch (AccessDeniedException e) {
            throw notPermitted("this user may not look for the store " + file);
        } catch (IOException e) {
            // it is not there
        }
    }

    /** What a person types to have it made or brought up. */
    static String initCommand(Path file) {
        return "signet init --store " + ShellWord.quoted("local:" + file);
    }

    /** Makes the folder if there is none, for its owner only. */
    void prepareFolder() {
        Path folder = folder();
        try {
            if (!Files.isDirectory(folder)) {
                if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                    Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
                } else {
                    Files.createDirectories(folder);
                }
            }
        } catch (IOException e) {
            throw FileFaults.exception(file, e);
        }
        requireLocal(folder);
        requireWritableFolder();
    }

    /** SQLite keeps its log and its shared memory in files of their own beside the store. */
    private void requireWritableFolder() {
        if (!Files.isWritable(folder())) {
            throw notPermitted("this user may not write in the folder " + folder());
        }
    }

    private static void requireLocal(Path path) {
        try {
            FileStore fileStore = Files.getFileStore(path);
            if (isShared(fileStore.type())) {
                throw refusal(
                        StoreRefusal.Kind.UNSUITABLE_PLACE,
                        path + " lies on a network file system (" + fileStore.type()
                                + "), where its locks protect nothing; put the store on a disk of this host");
            }
        } catch (IOException e) {
            throw FileFaults.exception(path, e);
        }
    }

    static boolean isShared(String type) {
        String lower = type.toLowerCase(Locale.ROOT);
        return SHARED.contains(lower) || (lower.startsWith("fuse.") && !LOCAL_FUSE.contains(lower));
    }

    /** What tells the file that is there now from one that is put in its place; empty if there is none. */
    Optional<Object> identity() {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return Optional.of(Objects.requireNonNullElse(attributes.fileKey(), attributes.creationTime()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static StoreException notPermitted(String what) {
        return new StoreException(FileFaults.notPermitted(what), null);
    }

    static StoreException refusal(StoreRefusal.Kind kind, String message) {
        return new StoreException(new StoreRefusal(kind, message), null);
    }
}
