package dev.signet.app.place;

import dev.signet.Namespace;
import dev.signet.StoreException;
import dev.signet.StoreId;
import dev.signet.app.cli.Logging;
import dev.signet.app.cli.Surroundings;
import dev.signet.store.Store;
import dev.signet.store.StoreRefusal;
import dev.signet.store.quorum.QuorumStatus;
import dev.signet.store.quorum.QuorumStatus.Told;
import dev.signet.store.quorum.QuorumStore;
import dev.signet.store.quorum.wire.VoterStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A store in a quorum of Signet's own voters. */
final class QuorumStoreScheme implements StoreScheme {

    /** Of the replicated state; that voters of two versions understand each other is their affair. */
    private static final int LAYOUT = 1;

    private static final Duration ASK = Duration.ofSeconds(2);

    @Override
    public String name() {
        return QuorumUri.SCHEME;
    }

    @Override
    public String form() {
        return QuorumUri.FORM;
    }

    @Override
    public StorePlace place(String rest, Surroundings surroundings) {
        return new QuorumPlace(QuorumUri.of(rest, surroundings));
    }

    private record QuorumPlace(QuorumUri uri) implements StorePlace {

        @Override
        public String shown() {
            return uri.shown();
        }

        @Override
        public Optional<Path> localFile() {
            return Optional.empty();
        }

        /** The voters make it, not who uses it. */
        @Override
        public boolean isMadeByUse() {
            return false;
        }

        @Override
        public SetUp init() {
            return new SetUp(id(), LAYOUT, LAYOUT, Optional.empty());
        }

        @Override
        public StoreId id() {
            return Contact.withinLimit().patiently(this::askId);
        }

        /** Any voter may tell it: what it has heard of was decided, and stays. */
        private StoreId askId() {
            quieten();
            List<Told> told = QuorumStatus.ask(uri.options(), ASK);
            List<StoreId> ids = told.stream()
                    .flatMap(one -> one.status().stream())
                    .flatMap(status -> status.storeId().stream())
                    .distinct()
                    .toList();
            if (ids.size() > 1) {
                throw refused(
                        StoreRefusal.Kind.FOREIGN_OR_CORRUPT,
                        "the voters are of several quorums, with the stores " + ids);
            }
            return ids.stream().findFirst().orElseThrow(() -> refused(StoreRefusal.Kind.UNREACHABLE, silence(told)));
        }

        private static String silence(List<Told> told) {
            Optional<VoterStatus> some =
                    told.stream().flatMap(one -> one.status().stream()).findFirst();
            return some.isPresent()
                    ? "the voters have agreed on nothing yet: a majority of them must run"
                    : "no voter answers: " + told.get(0).address() + " "
                            + told.get(0).silence();
        }

        private StoreException refused(StoreRefusal.Kind kind, String why) {
            return new StoreException(new StoreRefusal(kind, shown() + ": " + why), null);
        }

        /** Each request is given its time by whoever asks. */
        @Override
        public Store open(Namespace namespace, Duration attempt) {
            quieten();
            return QuorumStore.open(uri.options(), namespace);
        }

        /** What it warns of is in the answers, too. */
        private static void quieten() {
            Logging.quieten("org.apache.ratis");
        }
    }
}
