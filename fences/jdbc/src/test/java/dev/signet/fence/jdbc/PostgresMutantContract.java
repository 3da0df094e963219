package dev.signet.fence.jdbc;

import dev.signet.servers.PostgresServer;

/** For a fence that is wrong on purpose. */
final class PostgresMutantContract extends PostgresFenceContract {

    private final PostgresServer server;
    private final Dialect dialect;

    PostgresMutantContract(PostgresServer server, Dialect dialect) {
        this.server = server;
        this.dialect = dialect;
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
