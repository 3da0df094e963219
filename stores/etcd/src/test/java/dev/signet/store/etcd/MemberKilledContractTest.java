package dev.signet.store.etcd;

import dev.signet.servers.EtcdServer;
import dev.signet.testkit.Cannot;
import dev.signet.testkit.Restorable;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** On a cluster of three of which one is dead. */
@Cannot(value = Restorable.class, because = "a cluster is made anew from a backup, by etcd's own tool")
@Tag("slow")
class MemberKilledContractTest extends EtcdContract {

    private static List<EtcdServer> members;

    @BeforeAll
    static void start() {
        members = EtcdServer.cluster(3);
        Warm.up(members.get(1).endpoint());
        members.get(0).kill();
    }

    @AfterAll
    static void stop() {
        members.forEach(EtcdServer::close);
    }

    @Override
    List<EtcdServer> members() {
        return members;
    }

    @Override
    List<EtcdServer> live() {
        return members.subList(1, 3);
    }
}
