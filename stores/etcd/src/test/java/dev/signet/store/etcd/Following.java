package dev.signet.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Role;
import dev.signet.store.RoleView;
import dev.signet.store.Watch;
import dev.signet.store.WatchObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Watches a role, and again whenever that breaks, as whoever waits for it does. What it is told never goes back. */
final class Following implements WatchObserver {

    private final Role role;
    private final Function<WatchObserver, Watch> watching;
    private final BlockingQueue<RoleView> told = new LinkedBlockingQueue<>();
    private final List<String> broken = new ArrayList<>();
    private long version = -1;

    Following(Role role, Function<WatchObserver, Watch> watching) {
        this.role = role;
        this.watching = watching;
        var unused = watching.apply(this);
    }

    @Override
    public void observed(RoleView view) {
        told.add(view);
    }

    @Override
    public synchronized void broken(String cause) {
        broken.add(cause);
        var unused = watching.apply(this);
    }

    synchronized List<String> causes() {
        return List.copyOf(broken);
    }

    /** Waits until it was told of this version. */
    RoleView until(long expected) throws InterruptedException {
        while (true) {
            RoleView view = told.poll(60, TimeUnit.SECONDS);
            assertThat(view)
                    .as("version %d of %s after %d, broken: %s", expected, role, version, causes())
                    .isNotNull();
            assertThat(view.version()).as("versions never go back").isGreaterThanOrEqualTo(version);
            version = view.version();
            assertThat(version).isLessThanOrEqualTo(expected);
            if (version == expected) {
                return view;
            }
        }
    }
}
