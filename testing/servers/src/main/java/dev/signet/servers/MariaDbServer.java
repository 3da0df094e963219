package dev.signet.servers;

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
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A MariaDB server with at most 200 connections. Its superuser is {@code root}, without a password. */
public final class MariaDbServer extends DatabaseServer {

    private static final Account ACCOUNT = new Account("mysql", "mariadb-server");
    private static final String SUPERUSER = "root";

    /** For tests: small, loopback only, quick rather than safe against a machine that loses its power. */
    private static final Map<String, String> FOR_TESTS = Map.ofEntries(
            Map.entry("bind-address", "127.0.0.1"),
            Map.entry("skip-name-resolve", "ON"),
            Map.entry("max-connections", "200"),
            Map.entry("character-set-server", "utf8mb4"),
            Map.entry("performance-schema", "OFF"),
            Map.entry("key-buffer-size", "1M"),
            Map.entry("aria-pagecache-buffer-size", "1M"),
            Map.entry("innodb-buffer-pool-size", "16M"),
            Map.entry("innodb-log-file-size", "8M"),
            Map.entry("innodb-flush-method", "nosync"));

    private static final AtomicLong DUMPS = new AtomicLong();

    /** Empty data, made once per JVM: a copy takes a tenth of the time. */
    private static @Nullable Path made;

    private final MariaDbOptions options;
    private final Path data = folder.resolve("data");
    private final Certificates certificates = Certificates.in(folder);

    private MariaDbServer(MariaDbOptions options) {
        super("mariadb", ACCOUNT);
        this.options = options;
    }

    /**
     * A server of one's own.
     *
     * @throws ServerException if a program is missing, or the server does not come up; then the message has its log
     */
    public static MariaDbServer start(MariaDbOptions options) {
        MariaDbServer server = new MariaDbServer(options);
        server.start();
        return server;
    }

    @Override
    void prepare() {
        if (options.transport() == Transport.TLS) {
            certificates.make(this);
        }
        run(List.of("cp", "-a", emptyData().toString(), data.toString()), Map.of());
    }

    private Path emptyData() {
        synchronized (MariaDbServer.class) {
            if (made == null) {
                Path place = newFolder(ACCOUNT, "mariadb-data");
                run(
                        List.of(
                                Programs.mariaDb("mariadb-install-db"),
                                "--no-defaults",
                                "--datadir=" + place,
                                "--auth-root-authentication-method=normal",
                                "--skip-test-db",
                                "--skip-name-resolve",
                                "--innodb-log-file-size=" + FOR_TESTS.get("innodb-log-file-size"),
                                "--innodb-flush-method=" + FOR_TESTS.get("innodb-flush-method")),
                        Map.of());
                made = place;
            }
            return made;
        }
    }

    /** The socket's path is relative to the data: one that begins at the root may be longer than a socket's may be. */
    @Override
    List<String> command() {
        Map<String, String> settings = new LinkedHashMap<>(FOR_TESTS);
        if (options.transport() == Transport.TLS) {
            settings.put("require-secure-transport", "ON");
            settings.put("ssl-cert", certificates.certificate().toString());
            settings.put("ssl-key", certificates.key().toString());
        }
        settings.putAll(options.settings());
        List<String> command = new ArrayList<>(List.of(
                Programs.mariaDb("mariadbd"),
                "--no-defaults",
                "--datadir=" + data,
                "--tmpdir=" + folder,
                "--pid-file=" + folder.resolve("pid"),
                "--socket=socket",
                "--port=" + port()));
        settings.forEach((name, value) -> command.add("--" + name + "=" + value));
        return command;
    }

    @Override
    void ask() throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(jdbcUrl("") + "&connectTimeout=5000&socketTimeout=5000");
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("SELECT @@datadir")) {
            if (!answer.next() || !Path.of(answer.getString(1)).equals(data)) {
                throw new SQLException("another server answers at port " + port());
            }
        }
    }

    @Override
    public String createDatabase(String name) {
        execute("CREATE DATABASE " + quoted(name));
        return jdbcUrl(name);
    }

    @Override
    public void createUser(String name, String password) {
        execute("CREATE USER " + quoted(name) + "@'%' IDENTIFIED BY '" + JdbcUrl.plain(password) + "'");
    }

    @Override
    public String jdbcUrl(String database) {
        return jdbcUrl(database, SUPERUSER, "");
    }

    @Override
    public String jdbcUrl(String database, String user, String password) {
        return jdbcUrl(port(), database, user, password);
    }

    @Override
    public String jdbcUrl(String database, Proxy through) {
        return jdbcUrl(through.port(), database, SUPERUSER, "");
    }

    private String jdbcUrl(int port, String database, String user, String password) {
        String url = JdbcUrl.of("mariadb", host(), port, database, user, password);
        return options.transport() == Transport.PLAIN
                ? url
                : url + "&sslMode=verify-full&serverSslCert=" + certificates.authority();
    }

    @Override
    public Path authority() {
        return certificates.ofServer(options.transport());
    }

    @Override
    public Runnable backUp(String database) {
        String dump = folder.resolve("dump-" + DUMPS.incrementAndGet()).toString();
        tool("mariadb-dump", "--single-transaction", "--result-file=" + dump, database);
        return () -> tool("mariadb", "--database=" + database, "--execute=source " + dump);
    }

    private void tool(String program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Programs.mariaDb(program),
                "--no-defaults",
                "--protocol=TCP",
                "--host=" + host(),
                "--port=" + port(),
                "--user=" + SUPERUSER));
        command.addAll(List.of(arguments));
        run(command, Map.of());
    }

    /** In no database. */
    @Override
    public void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(jdbcUrl(""));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new ServerException(this + " did not do: " + sql, e);
        }
    }

    private static String quoted(String name) {
        return '`' + JdbcUrl.plain(name) + '`';
    }
}
