package dev.signet.fence.jdbc;

import dev.signet.servers.PostgresServer;

/** For a fence that is wrong on purpose; its sites are schemas of one database. */
final class PostgresMutantContract extends PostgresFenceContract {

    private final PostgresServer server;
    private final String database;
    private final Dialect dialect;

    PostgresMutantContract(PostgresServer server, String database, Dialect dialect) {
        this.server = server;
        this.database = database;
        this.dialect = dialect;
    }

    @Override
    protected JdbcSite site() {
        return PostgresSite.in(database, dialect);
    }

    @Override
    PostgresServer server() {
        return server;
    }

    @Override
    Dialect dialect() {
        return dialect;
    }
}
