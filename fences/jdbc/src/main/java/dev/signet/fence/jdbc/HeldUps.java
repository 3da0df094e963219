package dev.signet.fence.jdbc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what held a seal up, and tells whoever asked to be told. Thread-safe. */
final class HeldUps {

    private static final Logger log = LoggerFactory.getLogger(JdbcFence.class);

    private final List<Consumer<HeldUp>> listeners = new CopyOnWriteArrayList<>();

    void tell(Consumer<HeldUp> listener) {
        listeners.add(listener);
    }

    void report(HeldUp heldUp) {
        log.warn(
                "a seal is held up: resource={} blocker={} ended={} reason={}",
                heldUp.resource(),
                heldUp.blocker(),
                heldUp.ended(),
                heldUp.why());
        for (Consumer<HeldUp> listener : listeners) {
            try {
                listener.accept(heldUp);
            } catch (RuntimeException e) {
                log.warn("a listener to held up seals of resource={} threw", heldUp.resource(), e);
            }
        }
    }
}
