package dev.signet.store.etcd;

import dev.signet.Namespace;
import dev.signet.servers.EtcdServer;
import dev.signet.servers.Proxy;
import dev.signet.store.Store;
import dev.signet.testkit.Freezable;
import dev.signet.testkit.Networked;
import dev.signet.testkit.Restorable;
import dev.signet.testkit.Shared;
import dev.signet.testkit.StoreContract;
import dev.signet.testkit.StoreFactory;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The store contract on a real etcd of one member, in real time. */
@Tag("process")
class EtcdStoreContractTest extends StoreContract implements Freezable, Networked, Restorable, Shared {

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

    private static Store open(String url, Namespace namespace) {
        return EtcdStore.open(EtcdStoreOptions.of(URI.create(url)), namespace);
    }

    @Override
    protected Store connect(Namespace inNamespace) {
        return open(server.endpoint(), inNamespace);
    }

    @Override
    public Class<? extends StoreFactory> factory() {
        return OfUrl.class;
    }

    @Override
    public String place() {
        return server.endpoint();
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
        server.restart();
    }

    @Override
    public Runnable backUp() {
        return server.backUp();
    }

    @Override
    public void freeze() {
        server.freeze();
    }

    @Override
    public void thaw() {
        server.thaw();
    }

    @Override
    public Line line(Namespace namespace) {
        Proxy proxy = Proxy.to(server);
        return new ProxiedLine(proxy, open("http://" + proxy.host() + ":" + proxy.port(), namespace));
    }

    private record ProxiedLine(Proxy proxy, Store store) implements Line {

        @Override
        public void vanish() {
            proxy.blackHole();
        }

        @Override
        public void cut() {
            proxy.cut();
        }

        @Override
        public void mend() {
            proxy.heal();
        }

        @Override
        public void close() {
            store.close();
            proxy.close();
        }
    }
}
