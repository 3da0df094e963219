package dev.signet.store.quorum.voter;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Files that are there whole or not at all, after a loss of power, too. */
final class Finished {

    private Finished() {}

    /** What was written and is on the disk under one name gets another in the same folder. */
    static void rename(Path unfinished, Path file) throws IOException {
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel folder =
                FileChannel.open(file.toAbsolutePath().resolveSibling("."), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }
}
