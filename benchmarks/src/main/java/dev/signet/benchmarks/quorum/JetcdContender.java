package dev.signet.benchmarks.quorum;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.signet.benchmarks.contest.Contender;
import dev.signet.benchmarks.contest.Contestant;
import dev.signet.benchmarks.resource.ResourceClient;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.election.LeaderKey;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.support.CloseableClient;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A campaign per role by etcd's own election, all on one lease, which jetcd keeps alive. What happens when it is lost is left to its
 * user; here nothing does. All contenders of a process share one client, as it is meant to be.
 */
final class JetcdContender implements Contender {

    /** More at a time and etcd refuses some: "too many requests". */
    private static final int IN_FLIGHT = 256;

    private static @Nullable Client shared;

    private final Client client;
    private final long lease;
    private final CloseableClient keeping;
    private final Elected elected;
    private final Map<String, LeaderKey> led = new ConcurrentHashMap<>();
    private final Writers writers = new Writers();

    JetcdContender(String place, Duration lease, Elected elected) {
        this.client = client(place);
        this.elected = elected;
        this.lease = client.getLeaseClient().grant(lease.toSeconds()).join().getID();
        this.keeping = client.getLeaseClient().keepAlive(this.lease, new StreamObserver<>() {
            @Override
            public void onNext(LeaseKeepAliveResponse response) {
                elected.renewed(Contestant.micros(), 0);
            }

            @Override
            public void onError(Throwable fault) {}

            @Override
            public void onCompleted() {}
        });
    }

    private static synchronized Client client(String place) {
        if (shared == null) {
            shared = Client.builder().endpoints(place.split(",", -1)).build();
        }
        return shared;
    }

    @Override
    public void campaign(List<String> roles) {
        for (String role : roles) {
            var unused = start(role);
        }
    }

    private CompletableFuture<Void> start(String role) {
        return client.getElectionClient()
                .campaign(bytes(role), lease, bytes("benchmark"))
                .thenAccept(response -> {
                    led.put(role, response.getLeader());
                    elected.leads(role);
                })
                .whenComplete((nothing, fault) -> {
                    if (fault != null) {
                        System.err.println(role + " is not led: " + fault);
                    }
                });
    }

    @Override
    public void lead(String role, ResourceClient resource) {
        var unused = start(role).thenRun(() -> writers.begin(role, resource));
    }

    @Override
    public void take(List<String> roles) {
        Semaphore places = new Semaphore(IN_FLIGHT);
        for (String role : roles) {
            places.acquireUninterruptibly();
            var unused = start(role).whenComplete((nothing, fault) -> places.release());
        }
    }

    @Override
    public void resign(String role) {
        writers.end(role);
        client.getElectionClient()
                .resign(Objects.requireNonNull(led.remove(role), role))
                .join();
    }

    /** Its lease ends with it, and all that hangs on it. */
    @Override
    public void close() {
        writers.endAll();
        keeping.close();
        client.getLeaseClient().revoke(lease).join();
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, UTF_8);
    }
}
