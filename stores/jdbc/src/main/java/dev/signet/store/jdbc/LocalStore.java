package dev.signet.store.jdbc;

import dev.signet.Namespace;
import dev.signet.StoreId;
import dev.signet.store.OpenSession;
import dev.signet.store.StoreTraits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * A store in one SQLite file, for the processes of one host. Thread-safe.
 *
 * <p>What it does <em>not</em> do, each with the test that shows it:
 *
 * <ul>
 *   <li>It protects one host only, and says so ({@code aStoreThatIsNoQuorumSaysSo}). On a network file system its locks
 *       protect nothing: it is refused where that can be told ({@code networkFileSystemsAreKnown}).
 *   <li>A process that is stopped while it holds the write lock blocks every grant and every renewal until it goes on or is
 *       killed; they are answered <em>unknown</em>, and reads go on
 *       ({@code aProcessStoppedWithTheWriteLockBlocksAllWritesUntilItIsKilled}). The lock is held for well under a
 *       millisecond per renewal, and for one write to the disk per batch of grants.
 *   <li>Leases are kept on the clock of this boot ({@link HostClock}). The record of a holder that reads another clock is
 *       succeeded after it stood still for a whole lease, so late rather than early
 *       ({@code aHolderInAnotherTimeNamespaceIsNeitherSucceededEarlyNorKeptForever}). A hypervisor that freezes a machine with
 *       all its clocks is seen by nobody inside: the fence is what holds then.
 *   <li>A file that is removed or replaced while it is in use is another store: sessions in it are gone
 *       ({@code aFileThatIsReplacedWhileInUseEndsTheSessionsOfTheOldOne}). One that is overwritten in place, such as by
 *       {@code cp} of a backup, is damaged; restore it while nobody has it open.
 *   <li>It must not be the file of the very resource that it elects a writer for: a long write there would hold up renewals
 *       ({@code aCallEndsWithItsTimeoutAsUnknown}). Nor may anything but SQLite open the file in a process that uses it: closing
 *       any descriptor of a file drops the locks of the whole process.
 *   <li>Whoever may read the file knows the session ids in it, so it is made for its owner only
 *       ({@code onlyItsOwnerMayReadItAndWhatLiesBesideIt}).
 * </ul>
 *
 * <p>Durability: a grant is on the disk before it is answered. Everything else may be lost when the host crashes, which
 * ends all sessions anyway; a process that dies loses nothing.
 *
 * <p>Bounds: a released role shows to the watchers of other processes within a poll (50 ms by default), an ended lease within a
 * poll and 20 ms after its end. Three daemon threads: writes, reads, watches; 4,096 requests wait at most, then they are
 * answered <em>unknown</em>. Answers come on those threads, so what depends on them must not block.
 */
public final class LocalStore extends SqlStore {

    /** Stated for a poll of up to a second; at the default it is 50 ms and what the machine takes to run a thread. */
    private static final Duration WAKE_BOUND = Duration.ofSeconds(1);

    private LocalStore(Place place, Namespace namespace, LocalStoreOptions options) {
        this(new StoreFile(place, LeaseClock.of(options.clock())), namespace, options);
    }

    private LocalStore(StoreFile file, Namespace namespace, LocalStoreOptions options) {
        super(
                new StoreTraits(
                        file.toString(),
                        StoreTraits.Kind.SINGLE_HOST,
                        Optional.of(
                                "a local store elects among the processes of this one host: it protects from nothing"
                                        + " that happens elsewhere, and its loss is the loss of the store"),
                        false,
                        true,
                        WAKE_BOUND),
                file,
                namespace,
                options.pollInterval(),
                Heartbeats.FIRST,
                "signet-local");
    }

    /**
     * {@link #layOut}, for those who want no more than the id that the store was given when it was made.
     *
     * @throws StoreException if there is something else in its place, or it cannot be kept there; nothing is left behind
     */
    public static StoreId init(Path file) {
        return layOut(file).storeId();
    }

    /**
     * Makes a store, and its folder if there is none, for this user only; whole or not at all, however many try at once. One of
     * an older layout is brought up; any other that is there stays as it is. Idempotent. Blocks for some writes to the disk.
     *
     * @throws StoreException if there is something else in its place, or it cannot be kept there; nothing is left behind
     */
    public static LaidOut layOut(Path file) {
        return FileSchema.init(Place.of(file));
    }

    /**
     * The id of the store that is there; makes and changes nothing. Blocks.
     *
     * @throws StoreException if there is none that can be used as it is, with why and what to do
     */
    public static StoreId id(Path file) {
        return FileSchema.id(Place.of(file));
    }

    /**
     * Uses a store that {@link #init} made. Returns at once; connecting goes on behind the scenes. That the file is of another
     * program, damaged or of a newer version shows then, and is the refusal of {@link #open(OpenSession, Duration)} and
     * {@link #read}.
     *
     * @throws StoreException if there is no such file, this user may not write it and its folder, or it lies on a network
     *     file system
     */
    public static LocalStore open(Path file, Namespace namespace, LocalStoreOptions options) {
        Place place = Place.of(file);
        place.requireUsable();
        return new LocalStore(place, namespace, options);
    }
}
