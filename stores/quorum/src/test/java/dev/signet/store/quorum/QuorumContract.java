package dev.signet.store.quorum;

import dev.signet.Namespace;
import dev.signet.servers.Proxy;
import dev.signet.store.Store;
import dev.signet.testkit.Freezable;
import dev.signet.testkit.Networked;
import dev.signet.testkit.Shared;
import dev.signet.testkit.StoreContract;
import dev.signet.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;

/** The store contract on real voters, in processes of their own and in real time. */
@Tag("process")
abstract class QuorumContract extends StoreContract implements Freezable, Networked, Shared {

    abstract ClassVoters quorum();

    private List<VoterProcess> voters() {
        return quorum().all();
    }

    private List<VoterProcess> live() {
        return quorum().live();
    }

    private static Store open(String addresses, Namespace namespace) {
        return QuorumStore.open(QuorumStoreOptions.of(addresses.split(",", -1)), namespace);
    }

    @Override
    protected Store connect(Namespace inNamespace) {
        return open(place(), inNamespace);
    }

    @Override
    public Class<? extends StoreFactory> factory() {
        return OfAddresses.class;
    }

    @Override
    public String place() {
        return voters().stream().map(voter -> voter.address().toString()).collect(Collectors.joining(","));
    }

    /** In another process. */
    public static final class OfAddresses implements StoreFactory {
        @Override
        public Store connect(String place, Namespace namespace) {
            return open(place, namespace);
        }
    }

    @Override
    protected Duration lease() {
        return Duration.ofSeconds(3);
    }

    @Override
    protected Duration timeout() {
        return Duration.ofSeconds(10);
    }

    /** The leader looks ten times a second, and then writes to the log. */
    @Override
    protected Duration grantableAfterExpiry() {
        return Duration.ofMillis(500);
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
        List<VoterProcess> all = live();
        all.forEach(VoterProcess::kill);
        all.forEach(VoterProcess::begin);
        all.forEach(voter -> voter.child().expect("started"));
    }

    @Override
    public void freeze() {
        live().forEach(VoterProcess::freeze);
    }

    @Override
    public void thaw() {
        live().forEach(VoterProcess::thaw);
    }

    @Override
    public Line line(Namespace namespace) {
        List<Proxy> proxies = voters().stream()
                .map(voter -> Proxy.to(voter.address().host(), voter.address().port()))
                .toList();
        String addresses =
                proxies.stream().map(proxy -> proxy.host() + ":" + proxy.port()).collect(Collectors.joining(","));
        return new ProxiedLine(proxies, open(addresses, namespace));
    }

    private record ProxiedLine(List<Proxy> proxies, Store store) implements Line {

        @Override
        public void vanish() {
            proxies.forEach(Proxy::blackHole);
        }

        @Override
        public void cut() {
            proxies.forEach(Proxy::cut);
        }

        @Override
        public void mend() {
            proxies.forEach(Proxy::heal);
        }

        @Override
        public void close() {
            store.close();
            proxies.forEach(Proxy::close);
        }
    }
}
