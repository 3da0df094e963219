package dev.signet.app.place;

import dev.signet.Namespace;
import dev.signet.StoreId;
import dev.signet.app.cli.Surroundings;
import dev.signet.store.Store;
import dev.signet.store.jdbc.LaidOut;
import dev.signet.store.jdbc.LocalStore;
import dev.signet.store.jdbc.LocalStoreOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A store in one SQLite file of this host. */
final class LocalStoreScheme implements StoreScheme {

    private final String name;
    private final boolean hasDefault;

    /** @param hasDefault whether the scheme alone names a store: the one in the user's state folder */
    LocalStoreScheme(String name, boolean hasDefault) {
        this.name = name;
        this.hasDefault = hasDefault;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String form() {
        return name + (hasDefault ? ":[PATH]" : ":PATH");
    }

    @Override
    public StorePlace place(String rest, Surroundings surroundings) {
        if (rest.isEmpty() && !hasDefault) {
            throw new IllegalArgumentException("'" + name + ":' names no file; write " + name + ":PATH");
        }
        return rest.isEmpty()
                ? new LocalPlace(userState(surroundings).resolve("signet").resolve("signet.db"), true)
                : new LocalPlace(surroundings.path(rest), false);
    }

    /** As the XDG base directories have it, which ignores a relative path in the variable. */
    private static Path userState(Surroundings surroundings) {
        return surroundings
                .variable("XDG_STATE_HOME")
                .map(Path::of)
                .filter(Path::isAbsolute)
                .orElseGet(() -> surroundings.home().resolve(".local").resolve("state"));
    }

    private record LocalPlace(Path file, boolean isDefault) implements StorePlace {

        @Override
        public String shown() {
            return "local:" + file;
        }

        @Override
        public Optional<Path> localFile() {
            return Optional.of(file);
        }

        @Override
        public boolean isMadeByUse() {
            return isDefault && !Files.exists(file);
        }

        @Override
        public SetUp init() {
            Optional<Path> folder = Optional.ofNullable(file.getParent()).filter(parent -> !Files.exists(parent));
            LaidOut laidOut = LocalStore.layOut(file);
            return new SetUp(laidOut.storeId(), laidOut.before(), laidOut.now(), folder);
        }

        @Override
        public StoreId id() {
            return LocalStore.id(file);
        }

        @Override
        public Store open(Namespace namespace, Duration attempt) {
            return LocalStore.open(file, namespace, LocalStoreOptions.defaults());
        }
    }
}
