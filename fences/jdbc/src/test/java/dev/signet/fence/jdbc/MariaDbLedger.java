package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Ledger.RESOURCE;

import dev.signet.Stamp;
import dev.signet.servers.MariaDbServer;
import dev.signet.servers.Servers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.mariadb.jdbc.MariaDbDataSource;

/** On a MariaDB server. */
final class MariaDbLedger extends GuardedLedger {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    final MariaDbServer server;
    final String database;

    private MariaDbLedger(MariaDbServer server, String database, Dialect dialect) throws SQLException {
        super(
                new MariaDbDataSource(server.createDatabase(database)),
                () -> server.execute("DROP DATABASE " + database),
                dialect);
        this.server = server;
        this.database = database;
        make(
                "CREATE TABLE ledger (what VARCHAR(100) PRIMARY KEY, amount BIGINT) ENGINE = InnoDB",
                "CREATE TABLE free (what VARCHAR(100)) ENGINE = InnoDB");
    }

    static MariaDbLedger guarded(Dialect dialect) throws SQLException {
        return guarded(Servers.mariaDb(), dialect);
    }

    static MariaDbLedger guarded(MariaDbServer server, Dialect dialect) throws SQLException {
        MariaDbLedger ledger = new MariaDbLedger(server, "guarded" + DATABASES.incrementAndGet(), dialect);
        ledger.guard();
        return ledger;
    }

    @Override
    String carry(Stamp stamp) {
        return "SET @signet_token = " + stamp.token() + ", @signet_term_id = '"
                + stamp.termId().secret() + "'";
    }

    @Override
    String check(Stamp stamp) {
        return "CALL signet_check('" + RESOURCE + "', " + stamp.token() + ", '"
                + stamp.termId().secret() + "')";
    }

    /** With an environment in which the mariadb command comes here. */
    ProcessBuilder command(Stamp stamp, String... command) {
        Map<String, String> here =
                Map.of("MYSQL_HOST", "127.0.0.1", "MYSQL_TCP_PORT", "" + server.port(), "DATABASE", database);
        return Shell.command(stamp, here, command);
    }

    @Override
    boolean isAnybodyWaiting() throws SQLException {
        try (Connection root = source.getConnection()) {
            Set<String> waiting = MariaDbLocks.waiting(root);
            return MariaDb.texts(root, "SELECT id FROM information_schema.processlist WHERE db = DATABASE()").stream()
                    .anyMatch(waiting::contains);
        }
    }

    @Override
    String content() throws SQLException {
        return text("SELECT COALESCE(GROUP_CONCAT(what, ' ', amount ORDER BY what SEPARATOR ', '), '') FROM ledger");
    }

    @Override
    String text(String query) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return Sql.text(connection, query).orElse("");
        }
    }
}
