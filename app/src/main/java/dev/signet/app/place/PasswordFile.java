package dev.signet.app.place;

import dev.signet.StoreException;
import dev.signet.app.cli.Surroundings;
import dev.signet.store.StoreRefusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A file whose first line is a password. A regular one is read anew each time, as the password may be changed while a leader
 * runs; a pipe can be read only once. Thread-safe.
 */
final class PasswordFile implements Supplier<String> {

    private static final int LONGEST = 4096;

    private final Path file;
    private final String option;
    private final Surroundings surroundings;
    private boolean warned;
    private @Nullable String ofPipe;

    /** @param option that named it */
    PasswordFile(Path file, String option, Surroundings surroundings) {
        this.file = file;
        this.option = option;
        this.surroundings = surroundings;
    }

    /** @throws StoreException if there is none to be read */
    @Override
    public synchronized String get() {
        if (ofPipe != null) {
            return ofPipe;
        }
        try {
            warnOfOthers();
            String password = firstLine();
            if (password.isEmpty()) {
                throw refusal("has no password in its first line", null);
            }
            if (!Files.isRegularFile(file)) {
                ofPipe = password;
            }
            return password;
        } catch (NoSuchFileException e) {
            throw refusal("is not there", e);
        } catch (AccessDeniedException e) {
            throw refusal("may not be read by this user", e);
        } catch (IOException e) {
            throw refusal("cannot be read (" + e.getMessage() + ")", e);
        }
    }

    private String firstLine() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LONGEST);
            return new String(bytes, StandardCharsets.UTF_8).split("\\r?\\n", 2)[0];
        }
    }

    private void warnOfOthers() throws IOException {
        if (warned || !file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        warned = true;
        Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
        if (rights.contains(PosixFilePermission.GROUP_READ) || rights.contains(PosixFilePermission.OTHERS_READ)) {
            surroundings.say("warning: others than its owner may read the password file " + file + "; chmod 600 it");
        }
    }

    private StoreException refusal(String what, @Nullable Exception cause) {
        return new StoreException(
                new StoreRefusal(
                        StoreRefusal.Kind.NOT_PERMITTED,
                        "the password file " + file + " " + what + "; mend that, or name another by " + option),
                cause);
    }
}
