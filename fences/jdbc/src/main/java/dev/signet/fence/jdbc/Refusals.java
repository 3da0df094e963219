package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Refusal;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts refused writes in memory, where no rollback reaches, and tells whoever asked to be told. Thread-safe. */
final class Refusals {

    private static final Logger log = LoggerFactory.getLogger(JdbcFence.class);

    private final Map<Refusal, LongAdder> counts = new EnumMap<>(Refusal.class);
    private final List<RefusalListener> listeners = new CopyOnWriteArrayList<>();
    private final ResourceName resource;

    Refusals(ResourceName resource) {
        this.resource = resource;
        for (Refusal refusal : Refusal.values()) {
            counts.put(refusal, new LongAdder());
        }
    }

    void tell(RefusalListener listener) {
        listeners.add(listener);
    }

    Map<Refusal, Long> counts() {
        Map<Refusal, Long> now = new EnumMap<>(Refusal.class);
        counts.forEach((refusal, count) -> now.put(refusal, count.sum()));
        return now;
    }

    /** After the transaction was rolled back. */
    void report(WriteRefusedException refused) {
        LongAdder count = counts.get(refused.refusal());
        if (count != null) {
            count.increment();
        }
        for (RefusalListener listener : listeners) {
            try {
                listener.refused(refused.stamp(), resource, refused.refusal());
            } catch (RuntimeException e) {
                log.warn("a refusal listener of resource={} threw; the refusal itself stands", resource, e);
            }
        }
    }
}
