package dev.signet.store.quorum.voter;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;

/**
 * Snapshots on disk, where Raft finds them: a file each, and beside it its digest. The digest is there before the file has its name,
 * so that a file without one is a damaged one. Used by one thread.
 */
final class SnapshotFiles {

    /** A snapshot with its digest. */
    record Found(TermIndex at, Path file) {

        byte[] content() throws IOException {
            return Files.readAllBytes(file);
        }
    }

    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();

    SimpleStateMachineStorage storage() {
        return storage;
    }

    void begin(RaftStorage raft) throws IOException {
        storage.init(raft);
    }

    void write(TermIndex at, byte[] content) throws IOException {
        File file = storage.getSnapshotFile(at.getTerm(), at.getIndex());
        Path unfinished = Path.of(file.getPath() + ".tmp");
        try (FileOutputStream output = new FileOutputStream(unfinished.toFile())) {
            output.write(content);
            output.getFD().sync();
        }
        MD5Hash digest = MD5FileUtil.computeMd5ForFile(unfinished.toFile());
        MD5FileUtil.saveMD5File(file, digest);
        Finished.rename(unfinished, file.toPath());
        storage.updateLatestSnapshot(
                new SingleFileSnapshotInfo(new FileInfo(file.toPath(), digest), at.getTerm(), at.getIndex()));
    }

    /**
     * Not by what Ratis finds: it passes over what has no digest, to an older one that the log may not begin after.
     *
     * @throws IOException if the newest is damaged; it names the file
     */
    Optional<Found> newest() throws IOException {
        Optional<Path> newest = newestFile();
        if (newest.isEmpty()) {
            return Optional.empty();
        }
        Path file = newest.get();
        if (!written(file).equals(MD5FileUtil.computeMd5ForFile(file.toFile()))) {
            throw new IOException("the snapshot " + file + " is damaged: its digest is another");
        }
        TermIndex at = SimpleStateMachineStorage.getTermIndexFromSnapshotFile(file.toFile());
        storage.loadLatestSnapshot();
        return Optional.of(new Found(at, file));
    }

    private Optional<Path> newestFile() throws IOException {
        Path folder = storage.getSnapshotFile(0, 0).toPath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> SimpleStateMachineStorage.SNAPSHOT_REGEX
                            .matcher(file.getFileName().toString())
                            .matches())
                    .max(Comparator.comparingLong(
                            file -> SimpleStateMachineStorage.getTermIndexFromSnapshotFile(file.toFile())
                                    .getIndex()));
        }
    }

    private static MD5Hash written(Path file) throws IOException {
        MD5Hash written;
        try {
            written = MD5FileUtil.readStoredMd5ForFile(file.toFile());
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException("the digest of the snapshot " + file + " is damaged", e);
        }
        if (written == null) {
            throw new IOException(
                    "the snapshot " + file + " has no digest beside it: it was not finished, or is not ours");
        }
        return written;
    }
}
