package dev.signet.app.place;

import dev.signet.Namespace;
import dev.signet.StoreId;
import dev.signet.app.cli.Logging;
import dev.signet.app.cli.Surroundings;
import dev.signet.store.Store;
import dev.signet.store.etcd.EtcdStore;
import dev.signet.store.etcd.EtcdStoreOptions;
import dev.signet.store.etcd.LaidOut;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A store in an etcd cluster. */
final class EtcdStoreScheme implements StoreScheme {

    @Override
    public String name() {
        return "etcd";
    }

    @Override
    public String form() {
        return EtcdUri.FORM;
    }

    @Override
    public StorePlace place(String rest, Surroundings surroundings) {
        return new EtcdPlace(EtcdUri.of(rest));
    }

    private record EtcdPlace(EtcdUri uri) implements StorePlace {

        @Override
        public String shown() {
            return uri.shown();
        }

        @Override
        public Optional<Path> localFile() {
            return Optional.empty();
        }

        @Override
        public boolean isMadeByUse() {
            return false;
        }

        @Override
        public SetUp init() {
            LaidOut laidOut = Contact.withinLimit().patiently(() -> EtcdStore.layOut(options()));
            return new SetUp(laidOut.storeId(), laidOut.before(), laidOut.now(), Optional.empty());
        }

        @Override
        public StoreId id() {
            return Contact.withinLimit().patiently(() -> EtcdStore.id(options()));
        }

        /** Each request is given its time by whoever asks. */
        @Override
        public Store open(Namespace namespace, Duration attempt) {
            return EtcdStore.open(options(), namespace);
        }

        private EtcdStoreOptions options() {
            // what it warns of is in the exceptions, too
            Logging.quieten("io.grpc");
            return uri.options();
        }
    }
}
