package dev.signet.testkit;

import dev.signet.Namespace;
import dev.signet.StoreId;
import dev.signet.store.Store;
import java.time.Duration;
import java.util.function.Function;

/** The store contract on a memory store with these rules. */
@Cannot(value = Shared.class, because = "its records live in one process")
class MemoryContract extends StoreContract implements Freezable, Networked, Restorable {

    final MemoryServer server;
    private final ManualTime time = new ManualTime();

    MemoryContract(Function<StoreId, StoreModel> rules) {
        server = new MemoryServer(time, time.host(), rules);
    }

    @Override
    protected Store connect(Namespace namespace) {
        return client(server.connect(namespace));
    }

    /** As the candidates see it, for a mutant to break. */
    Store client(MemoryStore store) {
        return store;
    }

    @Override
    protected void pass(Duration duration) {
        time.advance(duration);
    }

    @Override
    protected long nanos() {
        return time.monoNanos();
    }

    /** Hardly any: a memory store answers before its call returns, so that waiting for a broken one is in vain. */
    @Override
    protected Duration timeout() {
        return Duration.ofMillis(100);
    }

    @Override
    protected Duration slack() {
        return Duration.ofMillis(100);
    }

    @Override
    protected void restart() {
        server.restart();
    }

    @Override
    public void freeze() {
        server.pause();
    }

    @Override
    public void thaw() {
        server.resume();
    }

    @Override
    public Runnable backUp() {
        MemoryServer.Backup backup = server.backUp();
        return () -> server.restore(backup);
    }

    @Override
    public Line line(Namespace namespace) {
        MemoryStore store = server.connect(namespace);
        return new MemoryLine(store, client(store));
    }

    /** As a memory store's own faults have it. */
    private static final class MemoryLine implements Line {

        private final MemoryStore store;
        private final Store client;
        private Fault.Injected fault = () -> {};

        MemoryLine(MemoryStore store, Store client) {
            this.store = store;
            this.client = client;
        }

        @Override
        public Store store() {
            return client;
        }

        @Override
        public void vanish() {
            fault = store.cutOff();
        }

        @Override
        public void cut() {
            Fault.Injected lost = store.cutOff();
            Fault.Injected refused = store.inject(Fault.refusedConnection());
            fault = () -> {
                lost.mend();
                refused.mend();
            };
        }

        @Override
        public void mend() {
            fault.mend();
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
