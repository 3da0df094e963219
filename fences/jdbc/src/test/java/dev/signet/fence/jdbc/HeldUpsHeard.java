package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** What a fence told of seals that were held up. It may tell it a moment after the seal was answered. */
final class HeldUpsHeard implements Consumer<HeldUp> {

    private final List<HeldUp> all = new CopyOnWriteArrayList<>();

    @Override
    public void accept(HeldUp heldUp) {
        all.add(heldUp);
    }

    HeldUp only() throws InterruptedException {
        Deadline deadline = Deadline.in(JdbcSite.LATER);
        while (all.isEmpty() && !deadline.hasPassed()) {
            Thread.sleep(5);
        }
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    void areNone() {
        assertThat(all).isEmpty();
    }
}
