package dev.signet.fence.jdbc;

import dev.signet.servers.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresFenceContractTest extends PostgresFenceContract {

    private final PostgresServer server = PostgresServer.start(PostgresSite.OPTIONS);

    @AfterAll
    void stop() {
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
