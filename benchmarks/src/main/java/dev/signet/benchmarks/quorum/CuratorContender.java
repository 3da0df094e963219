package dev.signet.benchmarks.quorum;

import dev.signet.benchmarks.contest.Contender;
import dev.signet.benchmarks.resource.ResourceClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** A leader latch per role, on one session. */
final class CuratorContender implements Contender {

    private final CuratorFramework client;
    private final Elected elected;
    private final Map<String, LeaderLatch> latches = new ConcurrentHashMap<>();
    private final Writers writers = new Writers();

    /** @param lease of the session; ZooKeeper gives none below two of its ticks */
    CuratorContender(String place, Duration lease, Elected elected) {
        this.client = CuratorFrameworkFactory.builder()
                .connectString(place)
                .sessionTimeoutMs((int) lease.toMillis())
                .retryPolicy(new ExponentialBackoffRetry(100, 10))
                .build();
        this.elected = elected;
        client.start();
    }

    @Override
    public void campaign(List<String> roles) {
        roles.forEach(role -> start(role, new LeaderLatchListener() {
            @Override
            public void isLeader() {
                elected.leads(role);
            }

            @Override
            public void notLeader() {}
        }));
    }

    @Override
    public void lead(String role, ResourceClient resource) {
        start(role, new LeaderLatchListener() {
            @Override
            public void isLeader() {
                elected.leads(role);
                writers.begin(role, resource);
            }

            @Override
            public void notLeader() {
                writers.end(role);
            }
        });
    }

    private void start(String role, LeaderLatchListener listener) {
        LeaderLatch latch = new LeaderLatch(client, "/benchmark/" + role);
        latch.addListener(listener);
        latches.put(role, latch);
        try {
            latch.start();
        } catch (Exception e) {
            throw new IllegalStateException("cannot campaign for " + role, e);
        }
    }

    /** The same: it has no other way. */
    @Override
    public void take(List<String> roles) {
        campaign(roles);
    }

    @Override
    public void resign(String role) {
        writers.end(role);
        try {
            Objects.requireNonNull(latches.remove(role), role).close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its session ends with it, and all that hangs on it. */
    @Override
    public void close() {
        writers.endAll();
        client.close();
    }
}
