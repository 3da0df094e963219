package dev.signet.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** A pooler before a PostgreSQL server. Whoever connects is that server's superuser, without a password. */
public final class PgBouncer extends Server {

    /** For how long a client has a connection to the server. */
    public enum Mode {
        /** As long as it has its own to the pooler. */
        SESSION,
        /** For one transaction. */
        TRANSACTION
    }

    private static final String CONFIGURATION = """
            [databases]
            * = host=%1$s port=%2$d user=postgres password=secret-of-postgres
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %3$d
            unix_socket_dir =
            auth_type = any
            pool_mode = %4$s
            """;

    private final PostgresServer behind;
    private final Mode mode;

    private PgBouncer(PostgresServer behind, Mode mode) {
        super("pgbouncer", new Account("postgres", "postgresql"), 1);
        this.behind = behind;
        this.mode = mode;
    }

    /** @throws ServerException if the program is missing, or does not come up; then the message has its log */
    public static PgBouncer before(PostgresServer server, Mode mode) {
        PgBouncer pooler = new PgBouncer(server, mode);
        pooler.start();
        return pooler;
    }

    @Override
    void prepare() {}

    /** Its configuration names its port, which may be another one at the next try. */
    @Override
    List<String> command() {
        String file = write(
                        "pgbouncer.ini",
                        CONFIGURATION.formatted(
                                behind.host(),
                                behind.port(),
                                port(),
                                mode.name().toLowerCase(Locale.ROOT)))
                .toString();
        return List.of(Programs.find("pgbouncer", "pgbouncer", List.of()), file);
    }

    @Override
    void ask() throws SQLException {
        try (Connection connection =
                DriverManager.getConnection(jdbcUrl("postgres") + "&loginTimeout=5&socketTimeout=5")) {
            if (!connection.isValid(5)) {
                throw new SQLException("no answer at port " + port());
            }
        }
    }

    @Override
    String endingSignal() {
        return "INT";
    }

    /** To a database of the server behind it. */
    public String jdbcUrl(String database) {
        return JdbcUrl.of("postgresql", host(), port(), database, "postgres", "none");
    }
}
