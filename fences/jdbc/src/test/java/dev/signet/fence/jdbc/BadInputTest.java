package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Ledger.LATER;
import static dev.signet.fence.jdbc.Ledger.OLD;
import static dev.signet.fence.jdbc.Ledger.RESOURCE;
import static dev.signet.fence.jdbc.Ledger.ROLE;
import static dev.signet.fence.jdbc.Ledger.STORE;
import static dev.signet.fence.jdbc.Ledger.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.signet.Answer;
import dev.signet.FenceException;
import dev.signet.FenceException.Outcome;
import dev.signet.ResourceName;
import dev.signet.TermEnd;
import dev.signet.TermEndedException;
import dev.signet.fence.Fence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** What is wrong from outside is said in one line, and nothing is half done. */
class BadInputTest {

    @TempDir
    private Path folder;

    private static String sealed(Fence fence) {
        return fence.seal(OLD, LATER)
                .toCompletableFuture()
                .join()
                .fold(done -> "done", refused -> "refused " + refused.refusal(), unknown -> unknown.cause());
    }

    private static SQLiteDataSource source(SQLiteConfig config, String url) {
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl(url);
        return source;
    }

    @Test
    void admissionAtTheCommitIsRefusedWhereThereIsNone() throws SQLException {
        SQLiteDataSource source = source(new SQLiteConfig(), "jdbc:sqlite:" + folder.resolve("ledger.db"));
        JdbcFenceOptions options = JdbcFenceOptions.DEFAULTS.withAdmission(Admission.AT_COMMIT);
        try (JdbcFence fence = JdbcFence.open(source, RESOURCE, options)) {
            String why = "the connection leads to SQLite, where a stamp is admitted before the work only";
            assertThat(sealed(fence)).contains(why);
            assertThatThrownBy(() -> fence.init(ROLE, STORE)).hasMessageContaining(why);
            assertThatThrownBy(() -> fence.inTransaction(OLD, connection -> ""))
                    .isInstanceOf(FenceException.class)
                    .hasMessageContaining(why);
        }
    }

    @Test
    void mistypedPathIsNotMadeIntoAnEmptyLedger() {
        Path file = folder.resolve("legder.db");
        try (JdbcFence fence = JdbcFence.sqlite(file, RESOURCE)) {
            assertThat(sealed(fence)).contains("unable to open");
            assertThatThrownBy(() -> fence.init(ROLE, STORE))
                    .isInstanceOf(FenceException.class)
                    .hasMessageContaining("resource 'ledger'")
                    .hasMessageContaining("unable to open");
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void fileThatIsNoDatabaseIsLeftAlone() throws Exception {
        Path file = Files.writeString(folder.resolve("notes.txt"), "dear diary, ".repeat(100));
        try (JdbcFence fence = JdbcFence.sqlite(file, RESOURCE)) {
            assertThat(sealed(fence)).contains("not a database");
            assertThatThrownBy(() -> fence.init(ROLE, STORE)).hasMessageContaining("not a database");
            assertThatThrownBy(() -> fence.protect("ledger")).isInstanceOf(FenceException.class);
            assertThat(file).hasContent("dear diary, ".repeat(100));
        }
    }

    @Test
    void truncatedDatabaseIsReported() throws Exception {
        try (Ledger ledger = new Ledger(new SqliteDialect(), "delete")) {
            ledger.fence.init(ROLE, STORE);
            byte[] whole = Files.readAllBytes(ledger.file);
            byte[] half = whole.clone();
            java.util.Arrays.fill(half, 4096, half.length, (byte) 0x5A);
            Files.write(ledger.file, half);
            assertThat(sealed(ledger.fence)).contains("malformed");
            assertThatThrownBy(() -> ledger.fence.inTransaction(OLD, connection -> ""))
                    .isInstanceOf(FenceException.class)
                    .hasMessageContaining("malformed");
        }
    }

    @Test
    void databaseInMemoryIsRefused() {
        try (JdbcFence fence = JdbcFence.open(source(new SQLiteConfig(), "jdbc:sqlite::memory:"), RESOURCE)) {
            assertThatThrownBy(() -> fence.init(ROLE, STORE)).hasMessageContaining("a fence needs a file");
            assertThat(sealed(fence)).contains("a fence needs a file");
        }
    }

    @Test
    void readOnlyDatabaseIsReportedAndWritesNothing() throws Exception {
        try (Ledger ledger = Ledger.sealed(new SqliteDialect())) {
            SQLiteConfig config = new SQLiteConfig();
            config.setReadOnly(true);
            try (JdbcFence fence = JdbcFence.open(source(config, "jdbc:sqlite:" + ledger.file), RESOURCE)) {
                assertThat(sealed(fence)).contains("readonly");
                assertThat(Ledger.isDone(fence.view(LATER).toCompletableFuture().join()))
                        .isTrue();
                FenceException refused =
                        catchThrowableOfType(FenceException.class, () -> fence.inTransaction(OLD, connection -> ""));
                assertThat(refused).hasMessageContaining("readonly");
                assertThat(refused.outcome()).isEqualTo(Outcome.FAILED);
            }
        }
    }

    @Test
    void tablesOfAnotherMakeOrVersionAreLeftAlone() throws Exception {
        try (Ledger ledger = new Ledger(new SqliteDialect())) {
            ledger.run("CREATE TABLE signet_fence (mine TEXT)");
            assertThatThrownBy(() -> ledger.fence.init(ROLE, STORE)).hasMessageContaining("that Signet did not make");
            assertThat(sealed(ledger.fence)).contains("that Signet did not make");
            ledger.run("DROP TABLE signet_fence");
            ledger.fence.init(ROLE, STORE);
            ledger.run("UPDATE signet_fence_layout SET version = 2");
            assertThatThrownBy(() -> ledger.fence.init(ROLE, STORE)).hasMessageContaining("version 2");
            assertThat(sealed(ledger.fence)).contains("version 2");
        }
    }

    @Test
    void damagedRowIsReported() throws Exception {
        try (Ledger ledger = Ledger.sealed(new SqliteDialect())) {
            ledger.run("DROP TRIGGER signet_fence_only_rises");
            ledger.run("UPDATE signet_fence SET role = ''");
            assertThatThrownBy(() -> ledger.fence.inTransaction(OLD, connection -> ""))
                    .isInstanceOf(FenceException.class)
                    .hasMessageContaining("damaged");
        }
    }

    @Test
    void closedConnectionAndClosedFenceSaySo() throws Exception {
        try (Ledger ledger = Ledger.sealed(new SqliteDialect())) {
            Connection connection = ledger.connect();
            connection.close();
            assertThatThrownBy(() -> ledger.fence.check(connection, OLD))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            ledger.fence.close();
            ledger.fence.close();
            assertThat(sealed(ledger.fence)).isEqualTo("the fence is closed");
        }
    }

    @Test
    void impossibleTimeoutsAreUnknownAndNeverThrow() throws Exception {
        try (Ledger ledger = Ledger.sealed(new SqliteDialect())) {
            for (Duration timeout : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1)}) {
                ledger.fence.seal(OLD, timeout).toCompletableFuture().join();
            }
            Answer<?, ?> longest = ledger.fence
                    .seal(OLD, Duration.ofSeconds(Long.MAX_VALUE))
                    .toCompletableFuture()
                    .join();
            assertThat(Ledger.isDone(longest)).isTrue();
        }
    }

    @Test
    void callsBeyondTheLimitAreAnsweredAtOnce() throws Exception {
        try (Ledger ledger = Ledger.sealed(new SqliteDialect())) {
            Connection blocker = ledger.transaction();
            ledger.fence.check(blocker, OLD);
            for (int i = 0; i < 4; i++) {
                ledger.fence.seal(Ledger.NEW, LATER);
            }
            assertThat(sealed(ledger.fence)).isEqualTo("4 calls are already waiting");
        }
    }

    @Test
    void fullDatabaseWritesNothingAndLosesNothing() throws Exception {
        try (Ledger ledger = Ledger.sealed(new SqliteDialect())) {
            String big = "INSERT INTO ledger (what) VALUES (hex(randomblob(100000)))";
            assertThatThrownBy(() -> ledger.fence.inTransaction(OLD, connection -> {
                        Sqlite.text(connection, "PRAGMA max_page_count = 1");
                        return Sqlite.execute(connection, big);
                    }))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("full");
            // SQLite ends the whole transaction then; work that ignores it must not go on statement by statement
            assertThatThrownBy(() -> ledger.fence.inTransaction(OLD, connection -> {
                        insert(connection, "fits", OLD);
                        Sqlite.text(connection, "PRAGMA max_page_count = 1");
                        assertThatThrownBy(() -> Sqlite.execute(connection, big))
                                .hasMessageContaining("full");
                        return assertThatThrownBy(() -> insert(connection, "on its own", OLD))
                                .hasMessageContaining("nothing more is written");
                    }))
                    .isInstanceOf(FenceException.class);
            assertThat(ledger.count()).isZero();
            ledger.sealed(Ledger.NEW);
        }
    }

    @Test
    void impossibleOptionsNameTheRule() {
        assertThatThrownBy(() -> JdbcFenceOptions.DEFAULTS.withWriteTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("writeTimeout");
        assertThatThrownBy(() -> JdbcFenceOptions.DEFAULTS.withMaxTokenJump(0)).hasMessageContaining("maxTokenJump 0");
        for (Duration idle : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(2)}) {
            assertThatThrownBy(() -> JdbcFenceOptions.DEFAULTS.withLongestIdle(idle))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("longestIdle");
        }
        assertThatThrownBy(() -> ResourceName.of("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void writeOfATermThatIsNotValidDoesNotReachTheDatabase() throws Exception {
        try (Ledger ledger = Ledger.sealed(new SqliteDialect())) {
            FakeTerm term = new FakeTerm(OLD);
            ledger.fence.inTransaction(term, connection -> {
                insert(connection, "valid", OLD);
                return "";
            });
            term.valid = false;
            TermEndedException suspended = catchThrowableOfType(
                    TermEndedException.class, () -> ledger.fence.inTransaction(term, connection -> ""));
            assertThat(suspended.isRetryable()).isTrue();
            term.ended.complete(TermEnd.because(TermEnd.Reason.SESSION_GONE));
            TermEndedException over = catchThrowableOfType(
                    TermEndedException.class, () -> ledger.fence.inTransaction(term, connection -> ""));
            assertThat(over.isRetryable()).isFalse();
            assertThat(ledger.count()).isEqualTo(1);
        }
    }

    @Test
    void busyWriterGivesUpInTimeAndMayRetry() throws Exception {
        try (Ledger ledger = Ledger.sealed(new SqliteDialect())) {
            Connection blocker = ledger.transaction();
            ledger.fence.check(blocker, OLD);
            FenceException busy =
                    catchThrowableOfType(FenceException.class, () -> ledger.fence.inTransaction(OLD, connection -> ""));
            assertThat(busy.outcome()).isEqualTo(Outcome.RETRY);
        }
    }

    /** With the driver's IMMEDIATE mode an idle connection would keep the write lock. */
    @Test
    void immediateModeOfTheDriverDoesNotKeepTheLock() throws Exception {
        try (Ledger ledger = Ledger.sealed(new SqliteDialect())) {
            SQLiteConfig config = new SQLiteConfig();
            config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
            config.setBusyTimeout(0);
            try (Connection kept = source(config, "jdbc:sqlite:" + ledger.file).getConnection();
                    JdbcFence fence = new JdbcFence(
                            new OneConnection(kept), RESOURCE, JdbcFenceOptions.DEFAULTS, new SqliteDialect())) {
                fence.inTransaction(OLD, connection -> {
                    insert(connection, "a", OLD);
                    return "";
                });
                ledger.sealed(Ledger.NEW);
                assertThatThrownBy(() -> fence.inTransaction(OLD, connection -> ""))
                        .hasMessageContaining("STALE");
                fence.inTransaction(Ledger.NEW, connection -> {
                    insert(connection, "b", Ledger.NEW);
                    return "";
                });
                assertThat(kept.getAutoCommit()).isTrue();
                ledger.sealed(Ledger.stamp(9));
            }
        }
    }
}
