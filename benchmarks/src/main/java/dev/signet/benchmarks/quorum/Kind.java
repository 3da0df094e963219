package dev.signet.benchmarks.quorum;

import dev.signet.Namespace;
import dev.signet.benchmarks.contest.Contender;
import dev.signet.benchmarks.contest.ContestantProcess;
import dev.signet.benchmarks.contest.SignetContender;
import dev.signet.benchmarks.contest.Timing;
import dev.signet.store.Store;
import dev.signet.store.etcd.EtcdStore;
import dev.signet.store.quorum.QuorumStore;
import dev.signet.store.quorum.QuorumStoreOptions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Who is compared. */
enum Kind {
    SIGNET_QUORUM("Signet on its own voters", 10_000, 10_000, 1) {
        @Override
        Trio servers() {
            return new Voters();
        }

        @Override
        Contender open(String place, Timing timing, Contender.Elected elected) {
            Store store = SharedStore.get(
                    () -> QuorumStore.open(QuorumStoreOptions.of(place.split(",", -1)), Namespace.DEFAULT));
            return new SignetContender(TimedStore.of(store, elected), timing, elected);
        }
    },

    SIGNET_ETCD("Signet on etcd", 10_000, 10_000, 1) {
        @Override
        Trio servers() {
            return Members.ofEtcdWithStore();
        }

        @Override
        Contender open(String place, Timing timing, Contender.Elected elected) {
            Store store = SharedStore.get(() -> EtcdStore.open(Members.store(place), Namespace.DEFAULT));
            return new SignetContender(TimedStore.of(store, elected), timing, elected);
        }
    },

    /** It creates a node per role and candidate, one after the other: ten thousand take it a minute, twice. */
    CURATOR("Curator LeaderLatch on ZooKeeper", 1_000, 1_000, 20) {
        @Override
        Trio servers() {
            return Members.ofZooKeeper();
        }

        @Override
        Contender open(String place, Timing timing, Contender.Elected elected) {
            return new CuratorContender(place, timing.lease(), elected);
        }
    },

    /** From some 300 roles that are waited for by one client, the election of etcd 3.5 stands still for good. */
    JETCD("jetcd Election on etcd", 10_000, 100, 20) {
        @Override
        Trio servers() {
            return Members.ofEtcd();
        }

        @Override
        Contender open(String place, Timing timing, Contender.Elected elected) {
            return new JetcdContender(place, timing.lease(), elected);
        }
    };

    private static final Duration TO_BEGIN = Duration.ofSeconds(3);

    private final String label;
    private final int mostHeld;
    private final int mostWaited;
    private final int millisToWait;

    /**
     * What it is asked for at most, so that a run ends.
     *
     * @param mostHeld roles of one process
     * @param mostWaited roles that one process waits for
     * @param millisToWait how long it may take for each of them until the process does wait
     */
    Kind(String label, int mostHeld, int mostWaited, int millisToWait) {
        this.label = label;
        this.mostHeld = mostHeld;
        this.mostWaited = mostWaited;
        this.millisToWait = millisToWait;
    }

    abstract Contender open(String place, Timing timing, Contender.Elected elected);

    /** New ones, which know nothing. */
    abstract Trio servers();

    boolean isSignet() {
        return this == SIGNET_QUORUM || this == SIGNET_ETCD;
    }

    int held(int wanted) {
        return Math.min(wanted, mostHeld);
    }

    int waited(int wanted) {
        return Math.min(wanted, mostWaited);
    }

    /** After which time one who was told to campaign waits for all of them. */
    Duration toWaitFor(int roles) {
        return TO_BEGIN.plus(Duration.ofMillis(millisToWait).multipliedBy(roles));
    }

    /** The name of it on the command line. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    ContestantProcess contestant(Trio servers, Timing timing) {
        return new ContestantProcess(QuorumContestant.class, List.of(name(), servers.place()), timing).awaitReady();
    }

    @Override
    public String toString() {
        return label;
    }
}
