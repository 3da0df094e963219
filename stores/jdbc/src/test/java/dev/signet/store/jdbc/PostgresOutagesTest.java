package dev.signet.store.jdbc;

import dev.signet.servers.DatabaseServer;

class PostgresOutagesTest extends ServerOutages {

    PostgresOutagesTest() {
        super(Product.POSTGRESQL);
    }

    @Override
    String ordinaryUser(DatabaseServer at) {
        at.createUser("app", "secret");
        Product.execute(
                at.jdbcUrl("signet"), "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO app");
        return at.jdbcUrl("signet", "app", "secret");
    }

    @Override
    void forbidWriting(DatabaseServer at) {
        at.execute("ALTER SYSTEM SET default_transaction_read_only = on");
        at.execute("SELECT pg_reload_conf()");
        Leader.await("read only", () -> shown(at).equals("on"));
    }

    @Override
    void allowWriting(DatabaseServer at) {
        at.execute("ALTER SYSTEM RESET default_transaction_read_only");
        at.execute("SELECT pg_reload_conf()");
        Leader.await("writable", () -> shown(at).equals("off"));
    }

    private static String shown(DatabaseServer at) {
        return Product.rows(at.jdbcUrl("signet"), "SHOW default_transaction_read_only")
                .get(0);
    }
}
