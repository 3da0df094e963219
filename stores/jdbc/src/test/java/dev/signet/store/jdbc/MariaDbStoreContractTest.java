package dev.signet.store.jdbc;

import dev.signet.servers.MariaDbOptions;
import dev.signet.servers.MariaDbServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class MariaDbStoreContractTest extends ServerStoreContract {

    private static MariaDbServer server;

    @BeforeAll
    static void start() {
        server = MariaDbServer.start(MariaDbOptions.defaults().withSetting("max-connections", "800"));
        JdbcStore.init(DriverDataSource.of(server.createDatabase(DATABASE)));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    MariaDbServer server() {
        return server;
    }
}
