package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Ledger.RESOURCE;

import dev.signet.Stamp;
import dev.signet.servers.PostgresServer;
import dev.signet.servers.Servers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** On a PostgreSQL server. */
final class EnforcedLedger extends GuardedLedger {

    final PostgresServer server;
    final String database;

    /** Not yet protected. */
    EnforcedLedger(Dialect dialect) throws SQLException {
        this(Servers.postgres(), dialect);
    }

    EnforcedLedger(PostgresServer server, Dialect dialect) throws SQLException {
        this(server, new LentDatabase(server), dialect);
    }

    private EnforcedLedger(PostgresServer server, LentDatabase lent, Dialect dialect) throws SQLException {
        super(lent, lent, dialect);
        this.server = server;
        this.database = lent.name();
        make("CREATE TABLE ledger (what text PRIMARY KEY, amount bigint)", "CREATE TABLE free (what text)");
    }

    static EnforcedLedger guarded(Dialect dialect) throws SQLException {
        return guarded(Servers.postgres(), dialect);
    }

    static EnforcedLedger guarded(PostgresServer server, Dialect dialect) throws SQLException {
        EnforcedLedger ledger = new EnforcedLedger(server, dialect);
        ledger.guard();
        return ledger;
    }

    @Override
    String carry(Stamp stamp) {
        return "SELECT set_config('signet.token', '" + stamp.token() + "', true), set_config('signet.term_id', '"
                + stamp.termId().secret() + "', true)";
    }

    @Override
    String check(Stamp stamp) {
        return "SELECT signet_check('" + RESOURCE + "', " + stamp.token() + ", '"
                + stamp.termId().secret() + "')";
    }

    /** With an environment in which psql comes here. */
    ProcessBuilder command(Stamp stamp, String... command) {
        Map<String, String> here = Map.of(
                "PGHOST", "127.0.0.1", "PGPORT", "" + server.port(), "PGUSER", "postgres", "PGDATABASE", database);
        return Shell.command(stamp, here, command);
    }

    @Override
    boolean isAnybodyWaiting() throws SQLException {
        return !text("SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database WHERE NOT granted"
                        + " AND datname = current_database()")
                .isEmpty();
    }

    @Override
    String content() throws SQLException {
        return text(
                "SELECT coalesce(string_agg(what || ' ' || coalesce(amount, 0), ', ' ORDER BY what), '') FROM ledger");
    }

    @Override
    String text(String query) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return Postgres.text(connection, query);
        }
    }
}
