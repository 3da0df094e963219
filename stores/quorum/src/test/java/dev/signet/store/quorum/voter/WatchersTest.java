package dev.signet.store.quorum.voter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.store.RoleView;
import dev.signet.store.quorum.state.Changed;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.News;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** On a thread that does its work when the test lets it, for ears that take in as much as it says. */
class WatchersTest {

    private static final Changed LEDGER = changed("ledger");
    private static final Changed NIGHTLY = changed("nightly");
    private static final Changed BILLING = changed("billing");
    private static final Optional<Address> LEADER = Optional.of(new Address("b.example", 7400));

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<Changed> looked = new ArrayList<>();
    private final Watchers watchers = new Watchers(tasks::add, this::views, () -> LEADER);
    private boolean leads = true;
    private long version = 1;

    private static Changed changed(String role) {
        return new Changed(Namespace.DEFAULT, Role.of(role));
    }

    private Optional<List<RoleView>> views(Namespace namespace, List<Role> roles) {
        roles.forEach(role -> looked.add(new Changed(namespace, role)));
        return leads ? Optional.of(roles.stream().map(this::view).toList()) : Optional.empty();
    }

    private RoleView view(Role role) {
        return view(role, version);
    }

    private static RoleView view(Role role, long version) {
        return new RoleView(role, version, 0, Optional.empty(), true, Optional.empty(), Optional.empty());
    }

    private static News.Seen seen(Changed role, long version) {
        return new News.Seen(role.namespace(), List.of(view(role.role(), version)));
    }

    private static final class Ear implements Watchers.Ear {

        private final List<News> told = new ArrayList<>();
        private int takes = Integer.MAX_VALUE;
        private int ends;

        @Override
        public boolean isReady() {
            return takes > 0;
        }

        @Override
        public void tell(News news) {
            takes--;
            if (news instanceof News.Seen seen) {
                seen.views().forEach(view -> told.add(new News.Seen(seen.namespace(), List.of(view))));
            } else {
                told.add(news);
            }
        }

        @Override
        public void end() {
            ends++;
        }
    }

    private void work() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    private Watchers.Watcher watching(Ear ear, Changed... roles) {
        Watchers.Watcher watcher = watchers.add(ear);
        watcher.watch(List.of(roles));
        work();
        return watcher;
    }

    @Test
    void whoBeginsToWatchIsToldHowTheRoleLooks() {
        Ear ear = new Ear();

        watching(ear, LEDGER);

        assertThat(ear.told).containsExactly(seen(LEDGER, 1));
    }

    @Test
    void changesAreToldToThoseWhoWatchTheRole() {
        Ear ear = new Ear();
        Ear other = new Ear();
        watching(ear, LEDGER, NIGHTLY);
        watching(other, BILLING);
        ear.told.clear();
        other.told.clear();

        version = 2;
        watchers.changed(List.of(LEDGER, BILLING));
        work();

        assertThat(ear.told).containsExactly(seen(LEDGER, 2));
        assertThat(other.told).containsExactly(seen(BILLING, 2));
    }

    @Test
    void aRoleOfTheSameNameElsewhereIsAnother() {
        Ear ear = new Ear();
        watching(ear, LEDGER);
        ear.told.clear();

        watchers.changed(List.of(new Changed(new Namespace("elsewhere"), LEDGER.role())));
        work();

        assertThat(ear.told).isEmpty();
    }

    /** Nobody's thread but their own looks a role up or speaks to a watcher: whoever applies the log must not wait for it. */
    @Test
    void nothingIsLookedUpByWhoeverSaysThatItChanged() {
        Ear ear = new Ear();
        watching(ear, LEDGER);
        ear.told.clear();
        looked.clear();

        watchers.changed(List.of(LEDGER));
        watchers.tellQuiet();
        watchers.endAll();

        assertThat(looked).isEmpty();
        assertThat(ear.told).isEmpty();
    }

    /** What waits for it is at most one view of each role, the last. */
    @Test
    void aSlowWatcherIsToldTheLastOfManyChangesOnce() {
        Ear ear = new Ear();
        Watchers.Watcher watcher = watching(ear, LEDGER, NIGHTLY);
        ear.told.clear();
        ear.takes = 0;

        for (version = 2; version < 1_000; version++) {
            watchers.changed(List.of(LEDGER, NIGHTLY));
            work();
        }
        assertThat(ear.told).isEmpty();
        ear.takes = 5;
        watcher.goOn();
        work();

        assertThat(ear.told).containsExactly(seen(LEDGER, 1_000), seen(NIGHTLY, 1_000));
    }

    @Test
    void aSlowWatcherHoldsUpNoOther() {
        Ear slow = new Ear();
        Ear quick = new Ear();
        slow.takes = 0;
        watching(slow, LEDGER);
        watching(quick, LEDGER);

        version = 2;
        watchers.changed(List.of(LEDGER));
        work();

        assertThat(quick.told).containsExactly(seen(LEDGER, 1), seen(LEDGER, 2));
        assertThat(slow.told).isEmpty();
    }

    @Test
    void whoWatchesNoMoreIsNotTold() {
        Ear ear = new Ear();
        Watchers.Watcher watcher = watching(ear, LEDGER, NIGHTLY);
        ear.told.clear();
        ear.takes = 0;
        watchers.changed(List.of(LEDGER, NIGHTLY));
        work();

        watcher.unwatch(List.of(LEDGER));
        ear.takes = 5;
        watchers.changed(List.of(LEDGER));
        watcher.goOn();
        work();

        assertThat(ear.told).containsExactly(seen(NIGHTLY, 1));
    }

    @Test
    void quietIsToldToAllWhoTakeIt() {
        Ear ear = new Ear();
        Ear full = new Ear();
        full.takes = 0;
        watchers.add(ear);
        watchers.add(full);

        watchers.tellQuiet();
        work();

        assertThat(ear.told).containsExactly(new News.Quiet());
        assertThat(full.told).isEmpty();
    }

    @Test
    void theEndOfALeadershipIsToldWithWhomToAsk() {
        Ear ear = new Ear();
        watching(ear, LEDGER);
        ear.told.clear();

        watchers.endAll();
        work();
        watchers.changed(List.of(LEDGER));
        watchers.tellQuiet();
        watchers.endAll();
        work();

        assertThat(ear.told).containsExactly(new News.Over(LEADER));
        assertThat(ear.ends).isEqualTo(1);
    }

    /** Its stream ends all the same: that is what it hears of, however full it is. */
    @Test
    void aWatcherThatTakesNothingIsEndedToo() {
        Ear ear = new Ear();
        ear.takes = 0;
        watching(ear, LEDGER);

        watchers.endAll();
        work();

        assertThat(ear.told).isEmpty();
        assertThat(ear.ends).isEqualTo(1);
    }

    /** The past is not told: it is not known here that it is one. */
    @Test
    void whoAsksAVoterThatDoesNotLeadIsSentElsewhere() {
        leads = false;
        Ear ear = new Ear();

        watching(ear, LEDGER, NIGHTLY);

        assertThat(ear.told).containsExactly(new News.Over(LEADER));
        assertThat(ear.ends).isEqualTo(1);
    }

    @Test
    void nothingIsToldAfterTheEnd() {
        Ear ear = new Ear();
        Watchers.Watcher watcher = watching(ear, LEDGER);
        ear.told.clear();
        watchers.changed(List.of(LEDGER));
        watchers.tellQuiet();

        watcher.end();
        watcher.end();
        work();
        watcher.watch(List.of(NIGHTLY));
        work();

        assertThat(ear.told).isEmpty();
        assertThat(ear.ends).isEqualTo(1);
    }
}
