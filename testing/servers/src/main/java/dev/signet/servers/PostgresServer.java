package dev.signet.servers;

import dev.signet.servers.PostgresOptions.Authentication;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A PostgreSQL server: the newest version that is installed, with at most 200 connections. */
public final class PostgresServer extends Server {

    private static final String SUPERUSER = "postgres";
    private static final String SUPERUSER_PASSWORD = "secret-of-" + SUPERUSER;

    /** For tests: small, loopback only, quick rather than safe against a machine that loses its power. */
    private static final Map<String, String> FOR_TESTS = Map.of(
            "listen_addresses", "127.0.0.1",
            "unix_socket_directories", "",
            "max_connections", "200",
            "shared_buffers", "32MB",
            "fsync", "off",
            "log_line_prefix", "%m [%p] ");

    private final PostgresOptions options;
    private final Path data;

    private PostgresServer(PostgresOptions options) {
        super("postgresql", new Account("postgres", "postgresql"), 1);
        this.options = options;
        this.data = folder.resolve("data");
    }

    /**
     * A server of one's own.
     *
     * @throws ServerException if a program is missing, or the server does not come up; then the message has its log
     */
    public static PostgresServer start(PostgresOptions options) {
        PostgresServer server = new PostgresServer(options);
        server.start();
        return server;
    }

    /** Never a copy of data made once: two servers with one system identifier would pass for one and the same. */
    @Override
    void prepare() {
        String method = options.authentication() == Authentication.SCRAM ? "scram-sha-256" : "trust";
        Path password = write("password", SUPERUSER_PASSWORD);
        run(
                List.of(
                        Programs.postgres("initdb"),
                        "--pgdata=" + data,
                        "--username=" + SUPERUSER,
                        "--pwfile=" + password,
                        "--auth=" + method,
                        "--encoding=UTF8",
                        "--locale=C.UTF-8",
                        "--no-sync",
                        "--no-instructions"),
                Map.of());
    }

    @Override
    List<String> command() {
        Map<String, String> settings = new LinkedHashMap<>(FOR_TESTS);
        settings.putAll(options.settings());
        List<String> command =
                new ArrayList<>(List.of(Programs.postgres("postgres"), "-D", data.toString(), "-p", "" + port()));
        settings.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        return command;
    }

    @Override
    void ask() throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(jdbcUrl("postgres") + "&loginTimeout=5&socketTimeout=5");
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("SHOW data_directory")) {
            if (!answer.next() || !data.toString().equals(answer.getString(1))) {
                throw new SQLException("another server answers at port " + port());
            }
        }
    }

    /** What PostgreSQL calls a fast shutdown: open transactions are rolled back. */
    @Override
    String endingSignal() {
        return "INT";
    }

    /**
     * Makes an empty database.
     *
     * @param name of letters, digits, underscores, dots and dashes, as all names and passwords here
     * @return {@link #jdbcUrl(String)} of it
     * @throws ServerException if there is one of that name
     */
    public String createDatabase(String name) {
        execute("CREATE DATABASE " + quoted(name));
        return jdbcUrl(name);
    }

    /** Makes a role that may log in, and nothing else yet. */
    public void createRole(String name, String password) {
        execute("CREATE ROLE " + quoted(name) + " LOGIN PASSWORD '" + JdbcUrl.plain(password) + "'");
    }

    /** For the superuser, whose password is in it if it needs one. */
    public String jdbcUrl(String database) {
        return jdbcUrl(database, SUPERUSER, SUPERUSER_PASSWORD);
    }

    /** For somebody else. Nothing checks whether it is right. */
    public String jdbcUrl(String database, String user, String password) {
        return jdbcUrl(port(), database, user, password);
    }

    /** For the superuser, through a proxy that was made for this server. */
    public String jdbcUrl(String database, Proxy through) {
        return jdbcUrl(through.port(), database, SUPERUSER, SUPERUSER_PASSWORD);
    }

    private String jdbcUrl(int port, String database, String user, String password) {
        return JdbcUrl.of("postgresql", host(), port, database, user, password);
    }

    /** Runs one statement as the superuser, in the database {@code postgres}. */
    public void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(jdbcUrl("postgres"));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new ServerException(this + " did not do: " + sql, e);
        }
    }

    private static String quoted(String name) {
        return '"' + JdbcUrl.plain(name) + '"';
    }
}
