package dev.signet.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.servers.EtcdServer;
import dev.signet.testkit.Cannot;
import dev.signet.testkit.Restorable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** On a cluster of three of which the one that led is cut off from the others: clients reach it, and it takes nothing. */
@Cannot(value = Restorable.class, because = "a cluster is made anew from a backup, by etcd's own tool")
@Tag("slow")
class LeaderCutOffContractTest extends EtcdContract {

    private static List<EtcdServer> members;
    private static EtcdServer apart;

    @BeforeAll
    static void start() throws InterruptedException {
        members = EtcdServer.clusterOfLinks(3);
        Warm.up(members.get(1).endpoint());
        apart = leader(members).get(0);
        apart.cutOff();
        long begun = System.nanoTime();
        while (leader(others()).isEmpty()) {
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(60));
            Thread.sleep(50);
        }
    }

    private static List<EtcdServer> leader(List<EtcdServer> of) {
        return of.stream().filter(EtcdServer::isLeader).toList();
    }

    private static List<EtcdServer> others() {
        List<EtcdServer> others = new ArrayList<>(members);
        others.remove(apart);
        return others;
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
        return others();
    }
}
