package dev.signet.app.place;

import dev.signet.Namespace;
import dev.signet.StoreId;
import dev.signet.app.cli.Surroundings;
import dev.signet.store.Store;
import dev.signet.store.jdbc.DriverDataSource;
import dev.signet.store.jdbc.JdbcStore;
import dev.signet.store.jdbc.JdbcStoreOptions;
import dev.signet.store.jdbc.LaidOut;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A store in a database on a server. */
final class JdbcStoreScheme implements StoreScheme {

    private static final Duration SHORTEST_ATTEMPT = Duration.ofMillis(100);
    private static final Duration LONGEST_ATTEMPT = Duration.ofMinutes(1);

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public String form() {
        return JdbcUrl.forms();
    }

    @Override
    public StorePlace place(String rest, Surroundings surroundings) {
        JdbcUrl url = JdbcUrl.of(rest, JdbcUrl.Use.STORE);
        if (!url.secrets().isEmpty()) {
            StoreOptions.warnIfTyped(name() + ":" + rest, surroundings);
        }
        return new JdbcPlace(url, StoreCredentials.NONE);
    }

    private record JdbcPlace(JdbcUrl url, StoreCredentials credentials) implements StorePlace {

        @Override
        public String shown() {
            return url.shown();
        }

        @Override
        public Optional<Path> localFile() {
            return Optional.empty();
        }

        @Override
        public StorePlace with(StoreCredentials given) {
            return new JdbcPlace(given.user().isPresent() ? url.withoutUser() : url, given);
        }

        @Override
        public boolean isMadeByUse() {
            return false;
        }

        @Override
        public SetUp init() {
            LaidOut laidOut = Contact.withinLimit().patiently(() -> JdbcStore.layOut(connections(), options()));
            return new SetUp(laidOut.storeId(), laidOut.before(), laidOut.now(), Optional.empty());
        }

        @Override
        public StoreId id() {
            return Contact.withinLimit().patiently(() -> JdbcStore.id(connections(), options()));
        }

        @Override
        public Store open(Namespace namespace, Duration attempt) {
            Duration within = attempt.compareTo(SHORTEST_ATTEMPT) < 0
                    ? SHORTEST_ATTEMPT
                    : attempt.compareTo(LONGEST_ATTEMPT) > 0 ? LONGEST_ATTEMPT : attempt;
            return JdbcStore.open(connections(), namespace, options().withAttempt(within));
        }

        private JdbcStoreOptions options() {
            return JdbcStoreOptions.defaults().withName(shown());
        }

        private DriverDataSource connections() {
            return url.connections(credentials);
        }
    }
}
