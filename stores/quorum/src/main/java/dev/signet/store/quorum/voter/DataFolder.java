package dev.signet.store.quorum.voter;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one voter: whose it is, and below it what Raft keeps. Locked while the voter runs, so that no second process uses it.
 */
final class DataFolder implements AutoCloseable {

    static final String LOG = "raft";
    static final String REMOVED = "removed";

    private static final String OWNER = "voter.properties";
    private static final String LOCK = "voter.lock";

    private static final String MET = "folder.";
    private static final String BEGUN = "begun";

    /** Raft's, with its term and vote; written before the first vote. */
    private static final String VOTE = "current/raft-meta";

    private final Path folder;
    private final FileChannel channel;
    private final FileLock lock;

    private DataFolder(Path folder, FileChannel channel, FileLock lock) {
        this.folder = folder;
        this.channel = channel;
        this.lock = lock;
    }

    /** Makes it if there is none. */
    static DataFolder open(Path folder) throws VoterException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new VoterException(folder + " is no folder");
        }
        try {
            Files.createDirectories(folder);
            FileChannel channel =
                    FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = lock(channel);
            if (lock == null) {
                channel.close();
                throw new VoterException("the folder " + folder + " is in use by another process");
            }
            return new DataFolder(folder, channel, lock);
        } catch (IOException e) {
            throw new VoterException("the folder " + folder + " cannot be used: " + e, e);
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** Empty if nobody has used it yet. */
    Optional<Owner> owner() throws VoterException {
        Path file = folder.resolve(OWNER);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
            String voter = properties.getProperty("voter");
            String group = properties.getProperty("group");
            if (voter == null || group == null) {
                throw new VoterException(file + " is damaged: it names no voter or no group");
            }
            Map<String, UUID> folders = folders(properties);
            boolean begun = folders.isEmpty() || Boolean.parseBoolean(properties.getProperty(BEGUN));
            return Optional.of(new Owner(voter, UUID.fromString(group), begun, folders));
        } catch (IOException | IllegalArgumentException e) {
            throw new VoterException(file + " cannot be read: " + e, e);
        }
    }

    private static Map<String, UUID> folders(Properties properties) {
        return properties.stringPropertyNames().stream()
                .filter(name -> name.startsWith(MET))
                .collect(Collectors.toMap(
                        name -> name.substring(MET.length()), name -> UUID.fromString(properties.getProperty(name))));
    }

    /** On the disk once this returns. */
    void belongTo(Owner owner) throws VoterException {
        Properties properties = new Properties();
        properties.setProperty("voter", owner.voter());
        properties.setProperty("group", owner.group().toString());
        owner.folders().forEach((id, other) -> properties.setProperty(MET + id, other.toString()));
        properties.setProperty(BEGUN, Boolean.toString(owner.begun()));
        Path unfinished = folder.resolve(OWNER + ".tmp");
        try {
            StringWriter text = new StringWriter();
            properties.store(text, "Whose this folder is. Moving it to another voter would break the quorum.");
            try (FileOutputStream output = new FileOutputStream(unfinished.toFile())) {
                output.write(text.toString().getBytes(StandardCharsets.UTF_8));
                output.getFD().sync();
            }
            Finished.rename(unfinished, folder.resolve(OWNER));
        } catch (IOException e) {
            throw new VoterException("the folder " + folder + " cannot be written: " + e, e);
        }
    }

    /** Whether Raft began here, whatever came of it. */
    boolean hasLog() {
        return Files.isDirectory(folder.resolve(LOG));
    }

    /** Whether Raft's part of this group is here, which cannot have voted or acknowledged anything else. */
    boolean hasLog(UUID group) {
        return Files.exists(folder.resolve(LOG).resolve(group.toString()).resolve(VOTE));
    }

    @Override
    public void close() {
        try {
            lock.release();
            channel.close();
        } catch (IOException e) {
            // The process's end does the same.
        }
    }
}
