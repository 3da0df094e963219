package dev.signet.fence.jdbc;

import dev.signet.servers.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("process")
class PostgresFenceContractTest extends PostgresFenceContract {

    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start(PostgresSite.OPTIONS);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    PostgresServer server() {
        return server;
    }

    @Override
    Dialect dialect() {
        return new PostgresDialect(PostgresSite.LONGEST_IDLE);
    }
}
