package dev.signet.testkit;

import dev.signet.Namespace;
import dev.signet.StoreId;
import dev.signet.store.Store;
import java.time.Duration;
import java.util.function.Function;

/** The store contract on a memory store with these rules. */
class MemoryContract extends StoreContract {

    private final ManualTime time = new ManualTime();
    private final MemoryServer server;

    MemoryContract(Function<StoreId, StoreModel> rules) {
        server = new MemoryServer(time, time.host(), rules);
    }

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
