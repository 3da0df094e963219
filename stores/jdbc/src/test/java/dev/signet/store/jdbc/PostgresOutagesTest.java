package dev.signet.store.jdbc;

import dev.signet.servers.PostgresServer;
import dev.signet.servers.Server;

class PostgresOutagesTest extends ServerOutages {

    PostgresOutagesTest() {
        super(Backend.POSTGRESQL);
    }

    @Override
    String ordinaryUser(Server at) {
        PostgresServer server = (PostgresServer) at;
        server.createRole("app", "secret");
        Backend.execute(
                server.jdbcUrl("signet"), "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO app");
        return server.jdbcUrl("signet", "app", "secret");
    }

    @Override
    void forbidWriting(Server at) {
        Backend.POSTGRESQL.settle(at, "ALTER SYSTEM SET default_transaction_read_only = on");
        Backend.POSTGRESQL.settle(at, "SELECT pg_reload_conf()");
        Leader.await("read only", () -> shown((PostgresServer) at).equals("on"));
    }

    @Override
    void allowWriting(Server at) {
        Backend.POSTGRESQL.settle(at, "ALTER SYSTEM RESET default_transaction_read_only");
        Backend.POSTGRESQL.settle(at, "SELECT pg_reload_conf()");
        Leader.await("writable", () -> shown((PostgresServer) at).equals("off"));
    }

    private static String shown(PostgresServer at) {
        return Backend.rows(at.jdbcUrl("signet"), "SHOW default_transaction_read_only")
                .get(0);
    }
}
