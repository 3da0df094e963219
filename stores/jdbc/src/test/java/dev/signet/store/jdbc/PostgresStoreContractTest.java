package dev.signet.store.jdbc;

import dev.signet.servers.PostgresOptions;
import dev.signet.servers.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresStoreContractTest extends ServerStoreContract {

    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start(PostgresOptions.defaults().withSetting("max_connections", "800"));
        JdbcStore.init(DriverDataSource.of(server.createDatabase(DATABASE)));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    PostgresServer server() {
        return server;
    }
}
