package dev.signet.store.jdbc;

import dev.signet.Namespace;
import dev.signet.servers.DatabaseServer;
import dev.signet.servers.Proxy;
import dev.signet.store.Store;
import dev.signet.testkit.Freezable;
import dev.signet.testkit.Networked;
import dev.signet.testkit.Restorable;
import dev.signet.testkit.Shared;
import dev.signet.testkit.StoreContract;
import dev.signet.testkit.StoreFactory;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** The store contract on a real server, in real time. */
@Tag("process")
abstract class ServerStoreContract extends StoreContract implements Freezable, Networked, Restorable, Shared {

    static final String DATABASE = "signet";

    abstract DatabaseServer server();

    private String url() {
        return server().jdbcUrl(DATABASE);
    }

    @Override
    protected Store connect(Namespace inNamespace) {
        return open(url(), inNamespace);
    }

    private static Store open(String url, Namespace inNamespace) {
        return JdbcStore.open(DriverDataSource.of(url), inNamespace, JdbcStoreOptions.defaults());
    }

    @Override
    public Class<? extends StoreFactory> factory() {
        return OfUrl.class;
    }

    @Override
    public String place() {
        return url();
    }

    /** In another process. */
    public static final class OfUrl implements StoreFactory {
        @Override
        public Store connect(String place, Namespace namespace) {
            return open(place, namespace);
        }
    }

    @Override
    protected Duration lease() {
        return Duration.ofSeconds(2);
    }

    /** Dozens of clients connect at once, and the server may share its processors with whatever else is tested. */
    @Override
    protected Duration timeout() {
        return Duration.ofSeconds(10);
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
        server().restart();
    }

    @Override
    public Runnable backUp() {
        return server().backUp(DATABASE);
    }

    @Override
    public void freeze() {
        server().freeze();
    }

    @Override
    public void thaw() {
        server().thaw();
    }

    @Override
    public Line line(Namespace namespace) {
        Proxy proxy = Proxy.to(server());
        return new ProxiedLine(proxy, open(server().jdbcUrl(DATABASE, proxy), namespace));
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
