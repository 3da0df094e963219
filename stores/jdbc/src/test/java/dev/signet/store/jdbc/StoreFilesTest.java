package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreException;
import dev.signet.StoreId;
import dev.signet.store.OpenSession;
import dev.signet.store.Opened;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import dev.signet.store.StoreRefusal.Kind;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Making a store, knowing one's own, and what is said of everything else. */
class StoreFilesTest {

    private static final Role LEDGER = Role.of("ledger");

    @TempDir
    Path folder;

    @Test
    void aStoreKeepsTheIdOfItsFirstInitialisation() {
        Path file = folder.resolve("signet.db");
        StoreId id = LocalStore.init(file);

        assertThat(LocalStore.init(file)).isEqualTo(id);
        assertThat(LocalStore.init(folder.resolve("other.db"))).isNotEqualTo(id);
    }

    @Test
    void anErrorInOneRequestIsUnknownAndTheNextIsAnswered() {
        Path file = folder.resolve("signet.db");
        LocalStore.init(file);
        AtomicBoolean fails = new AtomicBoolean();
        HostClock clock = new HostClock() {
            private final HostClock host = HostClock.system();

            @Override
            public String bootId() {
                return host.bootId();
            }

            @Override
            public long nanos() {
                if (fails.get()) {
                    throw new StackOverflowError("once");
                }
                return host.nanos();
            }

            @Override
            public long resolutionNanos() {
                return host.resolutionNanos();
            }
        };
        try (LocalStore store = LocalStore.open(
                file, Namespace.DEFAULT, LocalStoreOptions.defaults().withClock(clock))) {
            Ask ada = new Ask(store).open(Duration.ofSeconds(15));
            fails.set(true);
            assertThat(Ask.isUnknown(Ask.now(store.renew(ada.session, Ask.TIMEOUT))))
                    .isTrue();
            assertThat(Ask.isUnknown(Ask.now(store.read(LEDGER, Ask.TIMEOUT)))).isTrue();
            fails.set(false);

            assertThat(ada.renew()).isTrue();
            assertThat(ada.acquire(LEDGER).token().value()).isEqualTo(1);
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void onlyItsOwnerMayReadItAndWhatLiesBesideIt() throws IOException {
        Path file = folder.resolve("state/signet/signet.db");
        LocalStore.init(file);
        try (LocalStore store = open(file)) {
            new Ask(store).open(Duration.ofSeconds(15)).acquire(LEDGER);

            assertThat(rights(file.getParent())).isEqualTo("rwx------");
            assertThat(rights(file.getParent().getParent())).isEqualTo("rwx------");
            List<Path> files = list(file.getParent());
            assertThat(files).hasSize(3);
            for (Path each : files) {
                assertThat(rights(each)).as("%s", each).isEqualTo("rw-------");
            }
        }
    }

    @Test
    void whenManyInitialiseAtOnceThereIsOneStoreAndNothingElse() throws Exception {
        for (int round = 0; round < 5; round++) {
            Path file = folder.resolve("signet-" + round + ".db");
            Set<StoreId> ids = Collections.synchronizedSet(new HashSet<>());
            ConcurrentLinkedQueue<Throwable> faults = new ConcurrentLinkedQueue<>();
            CountDownLatch go = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                threads.add(new Thread(() -> {
                    try {
                        go.await();
                        ids.add(LocalStore.init(file));
                    } catch (Throwable fault) {
                        faults.add(fault);
                    }
                }));
            }
            threads.forEach(Thread::start);
            go.countDown();
            for (Thread thread : threads) {
                thread.join();
            }

            assertThat(faults).isEmpty();
            assertThat(ids).hasSize(1);
            // SQLite leaves these two, for whoever opens the file next, when the last connections close at once
            assertThat(list(folder))
                    .filteredOn(path -> !path.toString().endsWith(".db-wal")
                            && !path.toString().endsWith(".db-shm"))
                    .as("and nothing else")
                    .hasSize(round + 1)
                    .contains(file);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a?b.db",
                "a?cache_size=5",
                "a?mode=memory&x=.db",
                "a%20b.db",
                "a#b.db",
                "a b.db",
                "a&mode=memory.db",
                "r\u00f4le.db",
                "'\".db",
                ":x:"
            })
    void aFilesNameIsJustAName(String name) throws IOException {
        Path file = folder.resolve(name);
        StoreId id = LocalStore.init(file);
        try (LocalStore store = open(file)) {
            assertThat(new Ask(store)
                            .open(Duration.ofSeconds(15))
                            .acquire(LEDGER)
                            .storeId())
                    .isEqualTo(id);
        }
        // connections that close at once may each leave SQLite's own two files to the other
        assertThat(list(folder))
                .filteredOn(path ->
                        !path.toString().endsWith("-wal") && !path.toString().endsWith("-shm"))
                .containsExactly(file);
    }

    @Test
    void aStoreThatWasNeverMadeIsSaidToBeSo() {
        assertRefused(folder.resolve("signet.db"), Kind.NOT_INITIALISED, "signet init --store local:/");
        Path withASpace = folder.resolve("a b.db");
        assertRefused(
                withASpace, Kind.NOT_INITIALISED, "signet init --store 'local:" + withASpace.toAbsolutePath() + "'");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFolderIsNoStore() {
        assertRefused(folder, Kind.FOREIGN_OR_CORRUPT, "name another");
    }

    @Test
    void aTextFileIsNoStoreAndIsLeftAlone() throws IOException {
        Path file = Files.writeString(folder.resolve("notes.txt"), "milk, bread\n".repeat(100));

        assertNotOpened(file, Kind.FOREIGN_OR_CORRUPT, "name another");
        assertNotInitialised(file, Kind.FOREIGN_OR_CORRUPT);
        assertThat(file).hasContent("milk, bread\n".repeat(100));
    }

    @Test
    void anEmptyFileIsNoStoreAndIsLeftAlone() throws IOException {
        Path file = Files.createFile(folder.resolve("empty.db"));

        assertNotOpened(file, Kind.FOREIGN_OR_CORRUPT, "name another");
        assertNotInitialised(file, Kind.FOREIGN_OR_CORRUPT);
        assertThat(file).isEmptyFile();
    }

    @Test
    void theDatabaseOfAnotherProgramIsNoStore() throws SQLException, IOException {
        Path file = Files.createFile(folder.resolve("ledger.db"));
        execute(file, "CREATE TABLE ledger (amount INTEGER)");

        assertNotOpened(file, Kind.FOREIGN_OR_CORRUPT, "another program");
        assertNotInitialised(file, Kind.FOREIGN_OR_CORRUPT);
    }

    @Test
    void aNewerLayoutIsRefused() throws SQLException {
        Path file = folder.resolve("signet.db");
        LocalStore.init(file);
        execute(file, "PRAGMA user_version = " + (FileSchema.LAYOUT.version() + 1));

        assertNotOpened(file, Kind.OTHER_VERSION, "newer");
        assertNotInitialised(file, Kind.OTHER_VERSION);
    }

    @Test
    void aStoreWithoutItsTablesIsDamaged() throws SQLException {
        Path file = folder.resolve("signet.db");
        LocalStore.init(file);
        execute(file, "DROP TABLE signet_session");

        assertNotOpened(file, Kind.FOREIGN_OR_CORRUPT, "restore it");
    }

    @Test
    void aStoreThatWasOverwrittenInTheMiddleIsDamaged() throws IOException {
        Path file = folder.resolve("signet.db");
        LocalStore.init(file);
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(1024);
            bytes.write(new byte[(int) bytes.length() - 1024]);
        }

        assertNotOpened(file, Kind.FOREIGN_OR_CORRUPT, "restore it");
    }

    @Test
    void aStoreThatWasCutOffIsDamaged() throws IOException {
        Path file = folder.resolve("signet.db");
        LocalStore.init(file);
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.setLength(bytes.length() / 2);
        }

        assertNotOpened(file, Kind.FOREIGN_OR_CORRUPT, "restore it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "fuse.sshfs", "fuse.s3fs", "NFS"})
    void networkFileSystemsAreKnown(String type) {
        assertThat(Place.isShared(type)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "apfs", "fuseblk", "fuse.gocryptfs"})
    void fileSystemsOfThisHostAreNotRefused(String type) {
        assertThat(Place.isShared(type)).isFalse();
    }

    @Test
    void aFileThatIsReplacedWhileInUseEndsTheSessionsOfTheOldOne() throws IOException {
        Path file = folder.resolve("signet.db");
        LocalStore.init(file);
        try (LocalStore store = open(file)) {
            Ask ada = new Ask(store).open(Duration.ofSeconds(15));
            ada.acquire(LEDGER);
            for (Path each : list(folder)) {
                Files.delete(each);
            }
            assertThat(Ask.isUnknown(Ask.now(store.renew(ada.session, Ask.TIMEOUT))))
                    .isTrue();

            StoreId other = LocalStore.init(file);

            assertThat(ada.renew()).isFalse();
            assertThat(new Ask(store)
                            .open(Duration.ofSeconds(15))
                            .acquire(LEDGER)
                            .storeId())
                    .isEqualTo(other);
        }
    }

    private static LocalStore open(Path file) {
        return LocalStore.open(file, Namespace.DEFAULT, LocalStoreOptions.defaults());
    }

    private static void assertRefused(Path file, Kind kind, String advice) {
        assertThatThrownBy(() -> open(file))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining(file.toString())
                .hasMessageContaining(advice)
                .message()
                .doesNotContain("\n");
    }

    private static void assertNotInitialised(Path file, Kind kind) {
        assertThatThrownBy(() -> LocalStore.init(file))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }

    /** That it is no store shows when it is looked into, and is said to whoever opens a session or reads. */
    private static void assertNotOpened(Path file, Kind kind, String advice) {
        try (LocalStore store = open(file)) {
            OpenSession request = new OpenSession(
                    SessionId.random(), CandidateId.incarnationOf("x"), Advertised.NOTHING, Duration.ofSeconds(15));
            Answer<Opened, StoreRefusal> answer = Ask.now(store.open(request, Ask.TIMEOUT));
            assertThat(answer).isInstanceOfSatisfying(Answer.Refused.class, refused -> {
                StoreRefusal why = (StoreRefusal) refused.why();
                assertThat(why.kind()).isEqualTo(kind);
                assertThat(why.message())
                        .contains(file.toString())
                        .contains(advice)
                        .doesNotContain("\n");
            });
            assertThat(Ask.isUnknown(Ask.now(store.renew(SessionId.random(), Ask.TIMEOUT))))
                    .isTrue();
        }
    }

    private static void execute(Path file, String sql) throws SQLException {
        try (SqliteLink link = SqliteLink.to(file)) {
            link.execute(sql);
        }
    }

    private static String rights(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
