package dev.signet.servers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class ZooKeeperServerTest {

    /** Connected to that server and to no other. */
    private static ZooKeeper client(ZooKeeperServer server) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(server.endpoint(), 10_000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        assertThat(connected.await(30, TimeUnit.SECONDS))
                .as("connected to %s", server)
                .isTrue();
        return client;
    }

    private static void put(ZooKeeperServer server, String path, String value) throws Exception {
        ZooKeeper client = client(server);
        try {
            client.create(path, value.getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } finally {
            client.close();
        }
    }

    /** As the leader has it: a member that only follows may be behind. */
    private static void assertHas(ZooKeeperServer server, String path, String value) throws Exception {
        ZooKeeper client = client(server);
        try {
            client.sync(path);
            assertThat(new String(client.getData(path, false, null), UTF_8)).isEqualTo(value);
        } finally {
            client.close();
        }
    }

    @Test
    void killedAndRestartedItHasWhatWasWrittenAndNothingElse() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.alone()) {
            put(server, "/kept", "yes");
            server.kill();
            assertThat(server.isLeader()).isFalse();
            assertThat(server.processes()).noneMatch(ProcessHandle::isAlive);

            server.restart();

            assertHas(server, "/kept", "yes");
            assertThatThrownBy(() -> assertHas(server, "/lost", "yes"))
                    .isInstanceOf(KeeperException.NoNodeException.class);
        }
    }

    @Test
    void threeOfThemAreOneStoreAndDoWithoutTheirLeader() throws Exception {
        List<ZooKeeperServer> members = ZooKeeperServer.ensemble(3);
        try {
            put(members.get(0), "/from-the-first", "yes");
            assertHas(members.get(2), "/from-the-first", "yes");
            assertThat(members).filteredOn(ZooKeeperServer::isLeader).hasSize(1);
            ZooKeeperServer leader = members.stream()
                    .filter(ZooKeeperServer::isLeader)
                    .findFirst()
                    .orElseThrow();
            List<ZooKeeperServer> others =
                    members.stream().filter(member -> member != leader).toList();

            leader.kill();

            awaitLeader(others);
            put(others.get(0), "/without-the-leader", "yes");
            assertHas(others.get(1), "/without-the-leader", "yes");
            leader.restart();
            assertHas(leader, "/without-the-leader", "yes");
        } finally {
            members.forEach(ZooKeeperServer::close);
        }
        assertThat(members).allSatisfy(member -> assertThat(member.folder).doesNotExist());
    }

    private static void awaitLeader(List<ZooKeeperServer> of) throws InterruptedException {
        long begun = System.nanoTime();
        while (of.stream().noneMatch(ZooKeeperServer::isLeader)) {
            assertThat(System.nanoTime() - begun).isLessThan(60_000_000_000L);
            Thread.sleep(50);
        }
    }
}
