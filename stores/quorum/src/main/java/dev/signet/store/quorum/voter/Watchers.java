package dev.signet.store.quorum.voter;

import dev.signet.store.RoleView;
import dev.signet.store.quorum.state.Changed;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.News;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.Executor;
import java.util.function.Function;
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

    private final Set<Watcher> watchers = new CopyOnWriteArraySet<>();
    private final Executor executor;
    private final Function<Changed, Optional<RoleView>> views;
    private final Supplier<Optional<Address>> leader;

    /** @param views how a role looks; empty if this voter does not lead */
    Watchers(Executor executor, Function<Changed, Optional<RoleView>> views, Supplier<Optional<Address>> leader) {
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

        void watch(Changed role) {
            synchronized (this) {
                watched.add(role);
                untold.add(role);
            }
            goOn();
        }

        synchronized void unwatch(Changed role) {
            watched.remove(role);
            untold.remove(role);
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
                Changed role;
                synchronized (this) {
                    if (ended || untold.isEmpty() || !ear.isReady()) {
                        return;
                    }
                    role = untold.iterator().next();
                    untold.remove(role);
                }
                Optional<RoleView> view = views.apply(role);
                if (view.isEmpty()) {
                    over();
                    return;
                }
                ear.tell(new News.Seen(role.namespace(), view.get()));
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
