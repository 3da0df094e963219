package dev.signet.benchmarks.server;

import dev.signet.servers.PostgresOptions;
import dev.signet.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The server on which all meet: on the disk, and forcing each commit there. Each measurement has an empty database. */
public final class Arena implements AutoCloseable {

    private final PostgresServer server;
    private final Connection connection;

    public Arena() throws SQLException {
        this.server = PostgresServer.start(PostgresOptions.defaults()
                .withSetting("fsync", "on")
                .withSetting("shared_buffers", "128MB")
                .withSetting("shared_preload_libraries", "pg_stat_statements"));
        this.connection = DriverManager.getConnection(server.jdbcUrl("postgres"));
        server.execute("CREATE EXTENSION pg_stat_statements");
    }

    /** For asking the server about itself. */
    public Connection connection() {
        return connection;
    }

    /** @return the URL of a new, empty database */
    public String newDatabase(String name) {
        return server.createDatabase(name);
    }

    public String text(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    public void describe(Report report) throws SQLException, IOException {
        Disk.describe(report, Path.of(text("SHOW data_directory")));
        report.note(
                "%s, fsync %s, synchronous_commit %s",
                text("SELECT version()").replaceFirst(" \\(.*", ""),
                text("SHOW fsync"),
                text("SHOW synchronous_commit"));
    }

    public static void pause(Duration duration) {
        try {
            TimeUnit.NANOSECONDS.sleep(duration.toNanos());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of some length up to this. */
    public static Duration upTo(Duration longest) {
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(longest.toNanos()));
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        server.close();
    }
}
