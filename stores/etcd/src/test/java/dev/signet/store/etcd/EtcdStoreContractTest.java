package dev.signet.store.etcd;

import dev.signet.servers.EtcdServer;
import dev.signet.testkit.Restorable;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On a cluster of one. */
class EtcdStoreContractTest extends EtcdContract implements Restorable {

    private static EtcdServer server;

    @BeforeAll
    static void start() {
        server = EtcdServer.alone();
        Warm.up(server.endpoint());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    List<EtcdServer> members() {
        return List.of(server);
    }

    @Override
    List<EtcdServer> live() {
        return members();
    }

    @Override
    public Runnable backUp() {
        return server.backUp();
    }
}
