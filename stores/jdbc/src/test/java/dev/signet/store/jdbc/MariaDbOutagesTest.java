package dev.signet.store.jdbc;

import dev.signet.servers.DatabaseServer;

class MariaDbOutagesTest extends ServerOutages {

    MariaDbOutagesTest() {
        super(Product.MARIADB);
    }

    @Override
    String ordinaryUser(DatabaseServer at) {
        at.createUser("app", "secret");
        at.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON signet.* TO app");
        return at.jdbcUrl("signet", "app", "secret");
    }

    @Override
    void forbidWriting(DatabaseServer at) {
        at.execute("SET GLOBAL read_only = 1");
    }

    @Override
    void allowWriting(DatabaseServer at) {
        at.execute("SET GLOBAL read_only = 0");
    }
}
