package dev.signet.app.place;

import dev.signet.Namespace;
import dev.signet.StoreId;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Surroundings;
import dev.signet.store.Store;

/** {@code --store} and {@code --namespace}: which store a command uses. */
public final class StoreOptions {

    private final Surroundings surroundings;
    private final Option<StorePlace> place;
    private final Option<Namespace> namespace;

    private StoreOptions(Surroundings surroundings, Option<StorePlace> place, Option<Namespace> namespace) {
        this.surroundings = surroundings;
        this.place = place;
        this.namespace = namespace;
    }

    /** Both options. */
    public static StoreOptions in(Options options) {
        return new StoreOptions(
                options.surroundings(),
                store(options),
                options.withDefault(
                        "--namespace",
                        "N",
                        Namespace::new,
                        Namespace.DEFAULT.name(),
                        "Keeps your roles apart from those of other users of the store."));
    }

    /** For a command that uses the store, and none of its roles. */
    public static Option<StorePlace> store(Options options) {
        return options.withDefault(
                "--store",
                "URI",
                text -> StoreSchemes.place(text, options.surroundings()),
                "local:",
                "Where leadership is decided: " + StoreSchemes.forms()
                        + ". Without a path it is a file in your state folder, for the processes of this host only.");
    }

    public StorePlace place() {
        return place.value();
    }

    public Namespace namespace() {
        return namespace.value();
    }

    /** The store as it is: what only looks makes none. */
    public Store open() {
        return place().open(namespace());
    }

    /** For a command that leads: the default store is made if it is not there, and this is said. */
    public Store openOrMake() {
        makeIfDefault(place(), surroundings);
        return open();
    }

    /** The same for a command that needs only the store's id. */
    public static StoreId idOrMake(StorePlace place, Surroundings surroundings) {
        makeIfDefault(place, surroundings);
        return place.id();
    }

    private static void makeIfDefault(StorePlace place, Surroundings surroundings) {
        if (place.isMadeOnFirstUse() && !place.exists()) {
            place.init();
            surroundings.say("made the store " + place.shown() + ", the default on this host");
        }
    }
}
