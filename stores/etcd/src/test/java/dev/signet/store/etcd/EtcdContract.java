package dev.signet.store.etcd;

import dev.signet.Namespace;
import dev.signet.servers.EtcdServer;
import dev.signet.servers.Proxy;
import dev.signet.store.Store;
import dev.signet.testkit.Freezable;
import dev.signet.testkit.Networked;
import dev.signet.testkit.Shared;
import dev.signet.testkit.StoreContract;
import dev.signet.testkit.StoreFactory;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** The store contract on a real etcd, in real time. */
@Tag("process")
abstract class EtcdContract extends StoreContract implements Freezable, Networked, Shared {

    /** Clients know them all. */
    abstract List<EtcdServer> members();

    /** Those of them that are neither dead nor frozen. */
    abstract List<EtcdServer> live();

    private static String addresses(Stream<String> members) {
        return members.collect(Collectors.joining(","));
    }

    private static Store open(String addresses, Namespace namespace) {
        return EtcdStore.open(
                EtcdStoreOptions.of(
                        Stream.of(addresses.split(",", -1)).map(URI::create).toArray(URI[]::new)),
                namespace);
    }

    @Override
    protected Store connect(Namespace inNamespace) {
        return open(place(), inNamespace);
    }

    @Override
    public Class<? extends StoreFactory> factory() {
        return OfUrl.class;
    }

    @Override
    public String place() {
        return addresses(members().stream().map(EtcdServer::endpoint));
    }

    /** In another process. */
    public static final class OfUrl implements StoreFactory {
        @Override
        public Store connect(String place, Namespace namespace) {
            return open(place, namespace);
        }
    }

    /** Its half is longer than what is added to it below. */
    @Override
    protected Duration lease() {
        return Duration.ofSeconds(5);
    }

    @Override
    protected Duration timeout() {
        return Duration.ofSeconds(10);
    }

    /** etcd looks twice a second; and a window is kept in whole seconds, 2 at least. */
    @Override
    protected Duration grantableAfterExpiry() {
        return Duration.ofMillis(1_500);
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
        live().forEach(EtcdServer::stop);
        EtcdServer.startTogether(live());
    }

    @Override
    public void freeze() {
        live().forEach(EtcdServer::freeze);
    }

    @Override
    public void thaw() {
        live().forEach(EtcdServer::thaw);
    }

    @Override
    public Line line(Namespace namespace) {
        List<Proxy> proxies = members().stream().map(Proxy::to).toList();
        String addresses = addresses(proxies.stream().map(proxy -> "http://" + proxy.host() + ":" + proxy.port()));
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
