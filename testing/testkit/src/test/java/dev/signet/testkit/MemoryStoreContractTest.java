package dev.signet.testkit;

import dev.signet.Namespace;
import dev.signet.store.Store;
import java.time.Duration;

final class MemoryStoreContractTest extends StoreContract {

    private final ManualTime time = new ManualTime();
    private final MemoryServer server = new MemoryServer(time);

    @Override
    protected Store connect(Namespace namespace) {
        return server.connect(namespace);
    }

    @Override
    protected void pass(Duration duration) {
        time.advance(duration);
    }

    @Override
    protected void restart() {
        server.restart();
    }
}
