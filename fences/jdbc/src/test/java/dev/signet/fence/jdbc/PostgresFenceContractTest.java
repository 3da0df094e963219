package dev.signet.fence.jdbc;

import dev.signet.servers.PostgresOptions;
import dev.signet.servers.PostgresServer;
import dev.signet.testkit.FenceContract;
import dev.signet.testkit.FenceSite;
import dev.signet.testkit.IsolationLevel;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** On a server where transactions may be prepared. */
@Tag("process")
class PostgresFenceContractTest extends FenceContract {

    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start(PostgresOptions.defaults().withSetting("max_prepared_transactions", "20"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected FenceSite site() {
        return PostgresSite.of(server, new PostgresDialect(PostgresSite.LONGEST_IDLE));
    }

    @Override
    protected Set<IsolationLevel> levels() {
        return EnumSet.allOf(IsolationLevel.class);
    }
}
