package dev.signet.benchmarks.server;

import dev.signet.servers.PostgresOptions;
import dev.signet.servers.PostgresServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

    private static final int WRITES = 300;

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
        Path data = Path.of(text("SHOW data_directory"));
        report.note(
                "%d processors (%s), Java %s, %s, %s",
                Runtime.getRuntime().availableProcessors(),
                processor(),
                Runtime.version(),
                text("SELECT version()").replaceFirst(" \\(.*", ""),
                System.getProperty("os.name") + " " + System.getProperty("os.version"));
        report.note(
                "data on %s, fsync %s, synchronous_commit %s; to force 2 kB there: %s",
                Files.getFileStore(data).type(),
                text("SHOW fsync"),
                text("SHOW synchronous_commit"),
                probe(data.resolveSibling("probe")).text("%.2f ms"));
    }

    private static String processor() throws IOException {
        return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.replaceFirst("^[^:]*: *", ""))
                .findFirst()
                .orElse("unknown");
    }

    /** What one write to that disk takes without a database. */
    private static Figures probe(Path file) throws IOException {
        Figures figures = new Figures();
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            for (int write = 0; write < WRITES; write++) {
                long begun = System.nanoTime();
                channel.write(ByteBuffer.allocate(2_048));
                channel.force(false);
                figures.add((System.nanoTime() - begun) / 1e6);
            }
        } finally {
            Files.deleteIfExists(file);
        }
        return figures;
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
