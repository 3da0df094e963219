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

    /** Hardly any: a memory store answers before its call returns, so that waiting for a broken one is in vain. */
    @Override
    protected Duration timeout() {
        return Duration.ofMillis(100);
    }

    @Override
    protected void restart() {
        server.restart();
    }
}
