package dev.signet.fence.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.stream.Stream;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** A ledger in a new file. */
final class SqliteSite {

    private SqliteSite() {}

    static JdbcSite of(Dialect dialect) {
        return of(dialect, SQLiteConfig.JournalMode.WAL);
    }

    static JdbcSite of(Dialect dialect, SQLiteConfig.JournalMode journal) {
        try {
            Path folder = Files.createTempDirectory("signet-fence");
            SQLiteConfig config = new SQLiteConfig();
            config.setBusyTimeout(0);
            config.setSynchronous(SQLiteConfig.SynchronousMode.OFF);
            config.setJournalMode(journal);
            SQLiteDataSource source = new SQLiteDataSource(config);
            source.setUrl("jdbc:sqlite:" + folder.resolve("ledger.db"));
            return new JdbcSite(
                    source,
                    dialect,
                    JdbcFenceOptions.DEFAULTS.withWriteTimeout(Duration.ofMillis(300)),
                    "CREATE TABLE ledger (id INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT UNIQUE, amount INTEGER,"
                            + " signet_token INTEGER, signet_term TEXT)",
                    // whoever stands still with the write lock keeps everybody out
                    Duration.ofMillis(-1),
                    () -> remove(folder)) {
                @Override
                JdbcWriter writer(JdbcFence of, Connection connection) {
                    return new SqliteWriter(of, connection);
                }
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class SqliteWriter extends JdbcWriter {

        SqliteWriter(JdbcFence fence, Connection connection) {
            super(fence, connection);
        }

        /** The driver goes on as if the transaction were open. */
        @Override
        public void endUnseen() {
            execute("INSERT INTO ledger (what) VALUES ('twice')");
            execute("INSERT OR ROLLBACK INTO ledger (what) VALUES ('twice')");
        }
    }

    private static void remove(Path folder) {
        // not a walk, which looks at each file: a call that is on its way out may take one away meanwhile
        try (Stream<Path> files = Files.list(folder)) {
            files.forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        folder.toFile().delete();
    }
}
