package dev.signet.store.quorum.voter;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.store.RoleView;
import dev.signet.store.quorum.state.Changed;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.News;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Who watches which roles at this voter. A watcher is told how a role looks when it can be told, not each change on the way there: so
 * what waits for a slow one is at most one view of each role.
 *
 * <p>Thread-safe. Watchers are told by one thread.
 */
final class Watchers {

    /** Where news go. */
    interface Ear {

        /** Whether it takes more now; it says when it does again. */
        boolean isReady();

        void tell(News news);

        void end();
    }

    private static final int MOST_TOGETHER = 256;

    private final Set<Watcher> watchers = new CopyOnWriteArraySet<>();
    private final Executor executor;
    private final Views views;
    private final Supplier<Optional<Address>> leader;

    /** How roles of one namespace look now; empty if this voter does not lead. */
    interface Views {
        Optional<List<RoleView>> of(Namespace namespace, List<Role> roles);
    }

    Watchers(Executor executor, Views views, Supplier<Optional<Address>> leader) {
        this.executor = executor;
        this.views = views;
        this.leader = leader;
    }

    Watcher add(Ear ear) {
        Watcher watcher = new Watcher(ear);
        watchers.add(watcher);
        return watcher;
    }

    void changed(List<Changed> roles) {
        watchers.forEach(watcher -> watcher.changed(roles));
    }

    /** So that whoever hears nothing knows that there is nothing. */
    void tellQuiet() {
        watchers.forEach(watcher -> executor.execute(() -> watcher.tell(new News.Quiet())));
    }

    /** This voter leads no more. */
    void endAll() {
        watchers.forEach(watcher -> executor.execute(watcher::over));
    }

    /** One stream of news. */
    final class Watcher {

        private final Ear ear;
        private final Set<Changed> watched = new HashSet<>();
        private final Set<Changed> untold = new LinkedHashSet<>();
        private boolean ended;

        private Watcher(Ear ear) {
            this.ear = ear;
        }

        void watch(Collection<Changed> roles) {
            synchronized (this) {
                watched.addAll(roles);
                untold.addAll(roles);
            }
            goOn();
        }

        synchronized void unwatch(Collection<Changed> roles) {
            roles.forEach(watched::remove);
            roles.forEach(untold::remove);
        }

        private void changed(List<Changed> roles) {
            synchronized (this) {
                roles.stream().filter(watched::contains).forEach(untold::add);
                if (untold.isEmpty()) {
                    return;
                }
            }
            goOn();
        }

        /** There may be something to tell, and somebody to tell it to. */
        void goOn() {
            executor.execute(this::tellAll);
        }

        private void tellAll() {
            while (true) {
                Namespace namespace;
                List<Role> roles = new ArrayList<>();
                synchronized (this) {
                    if (ended || untold.isEmpty() || !ear.isReady()) {
                        return;
                    }
                    namespace = untold.iterator().next().namespace();
                    takeUntold(namespace, roles);
                }
                Optional<List<RoleView>> looks = views.of(namespace, roles);
                if (looks.isEmpty()) {
                    over();
                    return;
                }
                ear.tell(new News.Seen(namespace, looks.get()));
            }
        }

        private void takeUntold(Namespace namespace, List<Role> roles) {
            Iterator<Changed> rest = untold.iterator();
            while (rest.hasNext() && roles.size() < MOST_TOGETHER) {
                Changed next = rest.next();
                if (!next.namespace().equals(namespace)) {
                    return;
                }
                roles.add(next.role());
                rest.remove();
            }
        }

        private void tell(News news) {
            synchronized (this) {
                if (ended || !ear.isReady()) {
                    return;
                }
            }
            ear.tell(news);
        }

        private void over() {
            tell(new News.Over(leader.get()));
            end();
        }

        /** It hears no more. Idempotent. */
        void end() {
            synchronized (this) {
                if (ended) {
                    return;
                }
                ended = true;
            }
            watchers.remove(this);
            ear.end();
        }
    }
}
