package dev.signet.testkit.guide;

import dev.signet.Namespace;
import dev.signet.store.Store;
import dev.signet.testkit.Cannot;
import dev.signet.testkit.Freezable;
import dev.signet.testkit.Networked;
import dev.signet.testkit.Restorable;
import dev.signet.testkit.Shared;
import dev.signet.testkit.StoreContract;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

@Cannot(value = Freezable.class, because = "there is no server")
@Cannot(value = Networked.class, because = "there is no network")
@Cannot(value = Restorable.class, because = "nothing is kept that could be backed up")
@Cannot(value = Shared.class, because = "its records live in one process")
class TinyStoreContractTest extends StoreContract {

    private final AtomicLong clock = new AtomicLong();
    private final TinyStore.Records records = new TinyStore.Records(clock::get);

    @Override
    protected Store connect(Namespace namespace) {
        return new TinyStore(records, namespace);
    }

    @Override
    protected void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    @Override
    protected long nanos() {
        return clock.get();
    }

    @Override
    protected void restart() {}
}
