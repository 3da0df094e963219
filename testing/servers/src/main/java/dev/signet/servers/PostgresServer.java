package dev.signet.servers;

import dev.signet.servers.PostgresOptions.Authentication;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;

/** A PostgreSQL server: the newest version that is installed, with at most 200 connections. */
public final class PostgresServer extends DatabaseServer {

    /** Whether a commit at the primary waits for a replica. */
    public enum Replication {
        /** It waits until the replica has it on disk, for ever if need be. */
        SYNCHRONOUS,
        /** It does not: what the replica has not received is lost with the primary. */
        ASYNCHRONOUS
    }

    private static final String SUPERUSER = "postgres";
    private static final String SUPERUSER_PASSWORD = "secret-of-" + SUPERUSER;
    private static final Duration LONGEST_WAIT_FOR_STREAM = Duration.ofSeconds(20);

    /** For tests: small, loopback only, quick rather than safe against a machine that loses its power. */
    private static final Map<String, String> FOR_TESTS = Map.of(
            "listen_addresses", "127.0.0.1",
            "unix_socket_directories", "",
            "max_connections", "200",
            "shared_buffers", "32MB",
            "fsync", "off",
            "log_line_prefix", "%m [%p] ");

    private static final AtomicLong DUMPS = new AtomicLong();

    private final PostgresOptions options;
    /** Where its primary is reached; none if it began as one itself. */
    private final OptionalInt primary;

    private final Path data = folder.resolve("data");
    private final Certificates certificates = Certificates.in(folder);
    private final List<String> synchronousReplicas = new ArrayList<>();

    private PostgresServer(PostgresOptions options, OptionalInt primary) {
        super("postgresql", new Account("postgres", "postgresql"));
        this.options = options;
        this.primary = primary;
    }

    /**
     * A server of one's own.
     *
     * @throws ServerException if a program is missing, or the server does not come up; then the message has its log
     */
    public static PostgresServer start(PostgresOptions options) {
        PostgresServer server = new PostgresServer(options, OptionalInt.empty());
        server.start();
        return server;
    }

    /**
     * A copy of this server that streams from it; answers reads. A server of its own: it is frozen, killed and closed by itself.
     *
     * @throws ServerException if it does not come up, or does not stream
     */
    public PostgresServer replica(Replication replication) {
        return replica(replication, port());
    }

    /** As {@link #replica(Replication)}, with a network between the two that was made for this server. */
    public PostgresServer replica(Replication replication, Proxy through) {
        return replica(replication, through.port());
    }

    private PostgresServer replica(Replication replication, int reachedAt) {
        PostgresServer replica = new PostgresServer(options, OptionalInt.of(reachedAt));
        replica.start();
        if (replication == Replication.SYNCHRONOUS) {
            awaitSynchronous(replica);
        }
        return replica;
    }

    private synchronized void awaitSynchronous(PostgresServer replica) {
        synchronousReplicas.add('"' + replica.id() + '"');
        execute("ALTER SYSTEM SET synchronous_standby_names = 'FIRST " + synchronousReplicas.size() + " ("
                + String.join(", ", synchronousReplicas) + ")'");
        execute("SELECT pg_reload_conf()");
        String question = "SELECT sync_state FROM pg_stat_replication WHERE application_name = '" + replica.id() + "'";
        long begun = System.nanoTime();
        while (!query(question).equals(Optional.of("sync"))) {
            if (System.nanoTime() - begun > LONGEST_WAIT_FOR_STREAM.toNanos()) {
                throw new ServerException(replica + " is no synchronous replica; its log:\n" + replica.log());
            }
            Child.pause(Duration.ofMillis(20));
        }
    }

    /** How its primary knows it. */
    private String id() {
        return folder.getFileName().toString();
    }

    /**
     * Makes a replica a primary, on a timeline of its own, which waits for no replica. The old primary does not hear of it: while it
     * runs, or once it is restarted, both accept writes.
     *
     * @throws ServerException if it was none, or is not one within 30 s
     */
    public void promote() {
        execute("ALTER SYSTEM RESET synchronous_standby_names");
        if (!query("SELECT pg_promote(true, 30)").equals(Optional.of("t"))) {
            throw new ServerException(this + " was not promoted; its log:\n" + log());
        }
    }

    /** Never a copy of data made once: two servers with one system identifier would pass for one and the same. */
    @Override
    void prepare() {
        if (options.transport() == Transport.TLS) {
            certificates.make(this);
        }
        if (primary.isEmpty()) {
            initialize();
        } else {
            copyPrimary(primary.getAsInt());
        }
    }

    private void initialize() {
        run(
                List.of(
                        Programs.postgres("initdb"),
                        "--pgdata=" + data,
                        "--username=" + SUPERUSER,
                        "--pwfile=" + write("password", SUPERUSER_PASSWORD),
                        "--encoding=UTF8",
                        "--locale=C.UTF-8",
                        "--no-sync",
                        "--no-instructions"),
                Map.of());
        String type = options.transport() == Transport.TLS ? "hostssl" : "host";
        String method = options.authentication() == Authentication.SCRAM ? "scram-sha-256" : "trust";
        write("data/pg_hba.conf", """
                # type database user address method
                %1$s all all 127.0.0.1/32 %2$s
                %1$s replication all 127.0.0.1/32 %2$s
                """.formatted(type, method));
    }

    private void copyPrimary(int port) {
        run(
                List.of(
                        Programs.postgres("pg_basebackup"),
                        "--pgdata=" + data,
                        "--host=" + host(),
                        "--port=" + port,
                        "--username=" + SUPERUSER,
                        "--write-recovery-conf",
                        "--create-slot",
                        "--slot=" + id().replace('-', '_'),
                        "--checkpoint=fast",
                        "--no-sync"),
                Map.of("PGPASSWORD", SUPERUSER_PASSWORD));
    }

    @Override
    List<String> command() {
        Map<String, String> settings = new LinkedHashMap<>(FOR_TESTS);
        settings.put("cluster_name", id());
        if (options.transport() == Transport.TLS) {
            settings.put("ssl", "on");
            settings.put("ssl_cert_file", certificates.certificate().toString());
            settings.put("ssl_key_file", certificates.key().toString());
        }
        settings.putAll(options.settings());
        List<String> command =
                new ArrayList<>(List.of(Programs.postgres("postgres"), "-D", data.toString(), "-p", "" + port()));
        settings.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        return command;
    }

    @Override
    void ask() throws SQLException {
        String url = jdbcUrl("postgres") + "&loginTimeout=5&socketTimeout=5";
        if (!query(url, "SHOW data_directory").equals(Optional.of(data.toString()))) {
            throw new SQLException("another server answers at port " + port());
        }
    }

    /** What PostgreSQL calls a fast shutdown: open transactions are rolled back. */
    @Override
    String endingSignal() {
        return "INT";
    }

    @Override
    public String createDatabase(String name) {
        execute("CREATE DATABASE " + quoted(name));
        return jdbcUrl(name);
    }

    /** What PostgreSQL calls a role that may log in. */
    @Override
    public void createUser(String name, String password) {
        execute("CREATE ROLE " + quoted(name) + " LOGIN PASSWORD '" + JdbcUrl.plain(password) + "'");
    }

    @Override
    public String jdbcUrl(String database) {
        return jdbcUrl(database, SUPERUSER, SUPERUSER_PASSWORD);
    }

    @Override
    public String jdbcUrl(String database, String user, String password) {
        return jdbcUrl(port(), database, user, password);
    }

    @Override
    public String jdbcUrl(String database, Proxy through) {
        return jdbcUrl(through.port(), database, SUPERUSER, SUPERUSER_PASSWORD);
    }

    private String jdbcUrl(int port, String database, String user, String password) {
        String url = JdbcUrl.of("postgresql", host(), port, database, user, password);
        return options.transport() == Transport.PLAIN
                ? url
                : url + "&sslmode=verify-full&sslrootcert=" + certificates.authority();
    }

    @Override
    public Path authority() {
        return certificates.ofServer(options.transport());
    }

    @Override
    public Runnable backUp(String database) {
        String dump = folder.resolve("dump-" + DUMPS.incrementAndGet()).toString();
        tool("pg_dump", database, "--format=custom", "--file=" + dump);
        return () -> tool("pg_restore", database, "--clean", "--if-exists", "--single-transaction", dump);
    }

    private void tool(String program, String database, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Programs.postgres(program),
                "--host=" + host(),
                "--port=" + port(),
                "--username=" + SUPERUSER,
                "--dbname=" + database));
        command.addAll(List.of(arguments));
        run(command, Map.of("PGPASSWORD", SUPERUSER_PASSWORD));
    }

    /** In the database {@code postgres}. */
    @Override
    public void execute(String sql) {
        query(sql);
    }

    private Optional<String> query(String sql) {
        try {
            return query(jdbcUrl("postgres"), sql);
        } catch (SQLException e) {
            throw new ServerException(this + " did not do: " + sql, e);
        }
    }

    /** The first column of the first row, if there are any. */
    private static Optional<String> query(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return Optional.empty();
            }
            try (ResultSet rows = statement.getResultSet()) {
                return rows.next() ? Optional.ofNullable(rows.getString(1)) : Optional.empty();
            }
        }
    }

    private static String quoted(String name) {
        return '"' + JdbcUrl.plain(name) + '"';
    }
}
