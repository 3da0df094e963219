package dev.signet.store.jdbc;

import dev.signet.servers.MariaDbServer;
import dev.signet.servers.Server;

class MariaDbOutagesTest extends ServerOutages {

    MariaDbOutagesTest() {
        super(Backend.MARIADB);
    }

    @Override
    String ordinaryUser(Server at) {
        MariaDbServer server = (MariaDbServer) at;
        server.createUser("app", "secret");
        server.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON signet.* TO app");
        return server.jdbcUrl("signet", "app", "secret");
    }

    @Override
    void forbidWriting(Server at) {
        Backend.MARIADB.settle(at, "SET GLOBAL read_only = 1");
    }

    @Override
    void allowWriting(Server at) {
        Backend.MARIADB.settle(at, "SET GLOBAL read_only = 0");
    }
}
