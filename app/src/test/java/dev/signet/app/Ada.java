package dev.signet.app;

import dev.signet.servers.PostgresOptions;
import dev.signet.servers.PostgresServer;

/** Who a test is at a server that asks for passwords. */
public final class Ada {

    public static final String PASSWORD = "ge-heim";

    private Ada() {}

    /** A server of one's own that asks for passwords and knows her. */
    public static PostgresServer postgres() {
        PostgresServer server = PostgresServer.start(
                PostgresOptions.defaults().withAuthentication(PostgresOptions.Authentication.SCRAM));
        server.createUser("ada", PASSWORD);
        return server;
    }
}
