package dev.signet.app.place;

import dev.signet.Namespace;
import dev.signet.StoreId;
import dev.signet.app.cli.Logging;
import dev.signet.app.cli.Surroundings;
import dev.signet.store.Store;
import dev.signet.store.etcd.EtcdStore;
import dev.signet.store.etcd.EtcdStoreOptions;
import dev.signet.store.etcd.EtcdTls;
import dev.signet.store.etcd.EtcdUser;
import dev.signet.store.etcd.LaidOut;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** A store in an etcd cluster. */
final class EtcdStoreScheme implements StoreScheme {

    private final boolean secure;

    /** @param secure whether with TLS */
    EtcdStoreScheme(boolean secure) {
        this.secure = secure;
    }

    @Override
    public String name() {
        return EtcdUri.scheme(secure);
    }

    @Override
    public String form() {
        return EtcdUri.form(secure);
    }

    @Override
    public StorePlace place(String rest, Surroundings surroundings) {
        EtcdUri uri = EtcdUri.of(secure, rest);
        if (uri.parameter(EtcdUri.PASSWORD).isPresent()) {
            StoreOptions.warnIfTyped(name() + ":" + rest, surroundings);
        }
        return new EtcdPlace(uri, StoreCredentials.NONE, surroundings);
    }

    private record EtcdPlace(EtcdUri uri, StoreCredentials credentials, Surroundings surroundings)
            implements StorePlace {

        @Override
        public String shown() {
            return uri.shown();
        }

        @Override
        public Optional<Path> localFile() {
            return Optional.empty();
        }

        /** @throws IllegalArgumentException if there is a user without a password, or a password without a user */
        @Override
        public StorePlace with(StoreCredentials given) {
            EtcdPlace known = new EtcdPlace(given.user().isPresent() ? uri.withoutUser() : uri, given, surroundings);
            if (known.user().isPresent() && !uri.secure()) {
                surroundings.say(
                        "warning: the password goes to etcd in clear; with TLS, write " + EtcdUri.scheme(true) + "://");
            }
            return known;
        }

        private Optional<EtcdUser> user() {
            Optional<String> name = credentials.user().or(() -> uri.parameter(EtcdUri.USER));
            Optional<Supplier<String>> password = credentials
                    .password()
                    .or(() -> uri.parameter(EtcdUri.PASSWORD).map(text -> () -> text));
            if (name.isPresent() && password.isEmpty()) {
                throw new IllegalArgumentException("there is no password for user '" + name.get() + "' of " + shown()
                        + "; give it by " + StoreOptions.PASSWORD_FILE + " or " + StoreOptions.PASSWORD);
            }
            if (name.isEmpty() && password.isPresent()) {
                throw new IllegalArgumentException("there is a password for " + shown()
                        + ", and nobody whose it is; name the user by --store-user");
            }
            return name.map(text -> new EtcdUser(text, password.orElseThrow()));
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
            EtcdStoreOptions options = EtcdStoreOptions.of(uri.members().toArray(URI[]::new))
                    .withPrefix(uri.prefix())
                    .withName(shown());
            EtcdStoreOptions known = user().map(options::withUser).orElse(options);
            return uri.secure() ? known.withTls(tls()) : known;
        }

        private EtcdTls tls() {
            return new EtcdTls(file(EtcdUri.AUTHORITY), file(EtcdUri.CERTIFICATE), file(EtcdUri.KEY));
        }

        private Optional<Path> file(String parameter) {
            return uri.parameter(parameter).map(surroundings::path);
        }

        /** No secret gets out by a record's text. */
        @Override
        public String toString() {
            return shown();
        }
    }
}
