package dev.signet.fence.jdbc;

import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.fence.FenceView;
import dev.signet.fence.SealRefusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** One database file with a ledger in it, a fence on it, and connections that are closed at the end. */
final class Ledger implements AutoCloseable {

    static final ResourceName RESOURCE = ResourceName.of("ledger");
    static final Role ROLE = Role.of("nightly");
    static final StoreId STORE = new StoreId("store-1");
    static final Duration SOON = Duration.ofMillis(150);
    static final Duration LATER = Duration.ofSeconds(5);

    static final Stamp OLD = stamp(7);
    static final Stamp NEW = stamp(8);

    final Path file;
    final SQLiteDataSource source;
    final JdbcFence fence;
    private final Path folder;
    private final Deque<JdbcFence> fences = new ArrayDeque<>();
    private final Deque<Connection> open = new ArrayDeque<>();

    Ledger(Dialect dialect) throws SQLException, IOException {
        this(dialect, "wal");
    }

    Ledger(Dialect dialect, String journalMode) throws SQLException, IOException {
        folder = Files.createTempDirectory("signet-fence");
        file = folder.resolve("ledger.db");
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(0);
        config.setSynchronous(SQLiteConfig.SynchronousMode.OFF); // the tests are quick, and the seal durable by itself
        source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        fence = fence(dialect, RESOURCE);
        run("PRAGMA journal_mode = " + journalMode);
        run("CREATE TABLE ledger (id INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT UNIQUE, amount INTEGER,"
                + " signet_token INTEGER, signet_term TEXT)");
    }

    /** A ledger whose fence belongs to {@link #ROLE} and was sealed for the old term. */
    static Ledger sealed(Dialect dialect) throws SQLException, IOException {
        Ledger ledger = new Ledger(dialect);
        ledger.fence.init(ROLE, STORE);
        ledger.sealed(OLD);
        return ledger;
    }

    JdbcFence fence(Dialect dialect, ResourceName resource) {
        JdbcFence made = new JdbcFence(
                source, resource, JdbcFenceOptions.DEFAULTS.withWriteTimeout(Duration.ofMillis(300)), dialect);
        fences.push(made);
        return made;
    }

    static Stamp stamp(long token) {
        return new Stamp(ROLE, FencingToken.of(token), new TermId(0xABCDEF, token), STORE);
    }

    static Stamp otherTerm(Stamp stamp) {
        return new Stamp(stamp.role(), stamp.token(), new TermId(1, 1), stamp.storeId());
    }

    static Stamp otherStore(Stamp stamp) {
        return new Stamp(stamp.role(), stamp.token(), stamp.termId(), new StoreId("store-2"));
    }

    static Stamp otherRole(Stamp stamp) {
        return new Stamp(Role.of("Nightly"), stamp.token(), stamp.termId(), stamp.storeId());
    }

    Answer<FenceView, SealRefusal> seal(Stamp stamp, Duration timeout) {
        return fence.seal(stamp, timeout).toCompletableFuture().join();
    }

    void sealed(Stamp stamp) {
        Answer<FenceView, SealRefusal> answer = seal(stamp, LATER);
        if (!(answer instanceof Answer.Done)) {
            throw new AssertionError("not sealed: " + answer);
        }
    }

    static boolean isDone(Answer<?, ?> answer) {
        return answer instanceof Answer.Done;
    }

    FenceView view() {
        return fence.view(LATER)
                .toCompletableFuture()
                .join()
                .fold(
                        done -> done,
                        refused -> {
                            throw new AssertionError(refused);
                        },
                        unknown -> {
                            throw new AssertionError(unknown);
                        });
    }

    Connection connect() throws SQLException {
        Connection connection = source.getConnection();
        open.push(connection);
        return connection;
    }

    Connection transaction() throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        return connection;
    }

    void run(String sql) throws SQLException {
        try (Connection connection = source.getConnection()) {
            Sqlite.execute(connection, sql);
        }
    }

    long count() throws SQLException {
        return number("SELECT count(*) FROM ledger");
    }

    long number(String sql) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return Long.parseLong(Sqlite.text(connection, sql).orElseThrow());
        }
    }

    static void insert(Connection connection, String what, Stamp stamp) throws SQLException {
        Sqlite.execute(
                connection,
                "INSERT INTO ledger (what, amount, signet_token, signet_term) VALUES ('" + what + "', 1, "
                        + stamp.token() + ", '" + stamp.termId().secret() + "')");
    }

    @Override
    public void close() throws SQLException, IOException {
        fences.forEach(JdbcFence::close);
        while (!open.isEmpty()) {
            open.pop().close();
        }
        // not a walk, which looks at each file: such a call may take one away meanwhile
        try (Stream<Path> files = Files.list(folder)) {
            files.toList().forEach(Ledger::delete);
        }
        delete(folder);
    }

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            // a call that is still on its way out makes its files anew; the system's temporary folder bears that
        }
    }
}
