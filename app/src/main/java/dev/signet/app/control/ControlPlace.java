package dev.signet.app.control;

import dev.signet.CandidateId;
import dev.signet.app.cli.Surroundings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * A folder in which candidates of this user listen, each on a socket of its own. Its mode 0700 is what keeps others out: a socket's own
 * rights are not looked at everywhere. Immutable.
 */
public record ControlPlace(Path folder) {

    static final String SUFFIX = ".sock";

    private static final Set<PosixFilePermission> OURS_ALONE = PosixFilePermissions.fromString("rwx------");
    private static final Path SELF = Path.of("/proc/self");
    /** What a socket's address has room for: 108 bytes on Linux, 104 elsewhere, one of them for the end. */
    private static final int LONGEST_PATH = 103;
    /** Of the digest of an id, which is longer than an address has room for. */
    private static final int NAME_LENGTH = 24;

    /**
     * Where to listen: in {@code $XDG_RUNTIME_DIR} if that is this user's, as it is not after {@code su}, else below the folder for temporary
     * files. Nothing is made yet.
     */
    public static ControlPlace toListen(Surroundings surroundings) throws IOException {
        UserPrincipal self = self();
        return surroundings
                .variable("XDG_RUNTIME_DIR")
                .map(Path::of)
                .filter(runtime -> runtime.isAbsolute() && isOwned(runtime, self))
                .map(ControlPlace::in)
                .orElse(temporary(self));
    }

    /** Where a candidate of this user may listen: a service is started without the variables of a login, and so elsewhere. */
    public static List<ControlPlace> toLook(Surroundings surroundings) throws IOException {
        List<ControlPlace> places = new ArrayList<>(List.of(toListen(surroundings)));
        if (Files.isDirectory(SELF)) {
            places.add(
                    in(Path.of("/run/user", Files.getAttribute(SELF, "unix:uid").toString())));
        }
        places.add(temporary(self()));
        return places.stream().distinct().toList();
    }

    private static ControlPlace in(Path runtime) {
        return new ControlPlace(runtime.resolve("signet"));
    }

    private static ControlPlace temporary(UserPrincipal self) {
        return new ControlPlace(Path.of(System.getProperty("java.io.tmpdir"), "signet-" + self.getName()));
    }

    private static UserPrincipal self() throws IOException {
        return Files.isDirectory(SELF)
                ? Files.getOwner(SELF)
                : SELF.getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(System.getProperty("user.name"));
    }

    private static boolean isOwned(Path folder, UserPrincipal self) {
        try {
            return Files.isDirectory(folder) && Files.getOwner(folder).equals(self);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Makes the folder where there is none.
     *
     * @throws IOException if it cannot be made, or one is there that is not this user's alone
     */
    void make() throws IOException {
        try {
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OURS_ALONE));
        } catch (FileAlreadyExistsException e) {
            // ours, or refused below
        }
        requireOurs();
    }

    /** @throws IOException if it is not there, or others may enter it or have made it: they could listen in a candidate's place */
    void requireOurs() throws IOException {
        PosixFileAttributes found = Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isDirectory()) {
            throw new IOException(folder + " is no folder");
        }
        if (!found.owner().equals(self())) {
            throw new IOException(
                    "the folder " + folder + " belongs to " + found.owner().getName());
        }
        if (!OURS_ALONE.containsAll(found.permissions())) {
            throw new IOException("others may enter the folder " + folder + "; chmod 700 it, or remove it");
        }
    }

    /** @throws IOException if the folder's path is too long for a socket in it */
    Path socketOf(CandidateId candidate) throws IOException {
        Path socket = folder.resolve(digest(candidate).substring(0, NAME_LENGTH) + SUFFIX);
        int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > LONGEST_PATH) {
            throw new IOException("the path " + socket + " has " + length + " bytes, and a socket's " + LONGEST_PATH
                    + " at most; name a shorter folder by XDG_RUNTIME_DIR");
        }
        return socket;
    }

    private static String digest(CandidateId candidate) {
        try {
            byte[] id = candidate.toString().getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(id));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
