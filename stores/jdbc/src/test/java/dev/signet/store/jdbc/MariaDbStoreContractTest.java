package dev.signet.store.jdbc;

import dev.signet.Namespace;
import dev.signet.servers.MariaDbOptions;
import dev.signet.servers.MariaDbServer;
import dev.signet.store.Store;
import dev.signet.testkit.Cannot;
import dev.signet.testkit.Freezable;
import dev.signet.testkit.Networked;
import dev.signet.testkit.Restorable;
import dev.signet.testkit.StoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("process")
@Cannot(value = Networked.class, because = "it is to come with the proxy")
@Cannot(value = Restorable.class, because = "it is to come")
class MariaDbStoreContractTest extends StoreContract implements Freezable {

    private static MariaDbServer server;
    private static DriverDataSource connections;

    @BeforeAll
    static void start() {
        server = MariaDbServer.start(MariaDbOptions.defaults());
        connections = DriverDataSource.of(server.createDatabase("signet"));
        JdbcStore.init(connections);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected Store connect(Namespace inNamespace) {
        return JdbcStore.open(connections, inNamespace, JdbcStoreOptions.defaults());
    }

    @Override
    protected Duration lease() {
        return Duration.ofSeconds(2);
    }

    @Override
    protected void pass(Duration time) {
        try {
            Thread.sleep(time.toMillis() + 1);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected void restart() {
        server.restart();
    }

    @Override
    public void freeze() {
        server.freeze();
    }

    @Override
    public void thaw() {
        server.thaw();
    }
}
