package dev.signet.app.place;

import dev.signet.Namespace;
import dev.signet.StoreId;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Surroundings;
import dev.signet.store.Store;
import java.time.Duration;
import java.util.Optional;

/** {@code --store}, as whom, and {@code --namespace}: which store a command uses. */
public final class StoreOptions {

    static final String STORE = "--store";
    static final String PASSWORD_FILE = "--store-password-file";

    /** A variable without an option: what is on a command line is seen by whoever lists processes. */
    static final String PASSWORD = "SIGNET_STORE_PASSWORD";

    /** Of who looks, and has nothing to lose meanwhile. */
    private static final Duration ATTEMPT = Duration.ofMillis(2_500);

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
        Surroundings surroundings = options.surroundings();
        Option<StorePlace> place = options.withDefault(
                STORE,
                "URI",
                text -> StoreSchemes.place(text, surroundings),
                "local:",
                "Where leadership is decided: " + StoreSchemes.forms()
                        + ". Without a path it is a file in your state folder, for the processes of this host only.");
        Option<StoreCredentials> credentials = StoreCredentials.in(
                options, "--store", "As whom to use a store on a server. Also ?user=NAME in its URI.");
        return options.combined(() -> place.value().with(credentials.value()));
    }

    /** Of a URI with a password in it, unless it came as a variable. */
    static void warnIfTyped(String uri, Surroundings surroundings) {
        if (!surroundings.variable(Options.variable(STORE)).equals(Optional.of(uri))) {
            surroundings.say("warning: whoever lists processes sees the password in " + STORE + "; give it by "
                    + PASSWORD_FILE + " or " + PASSWORD);
        }
    }

    public StorePlace place() {
        return place.value();
    }

    public Namespace namespace() {
        return namespace.value();
    }

    /** The store as it is: what only looks makes none. */
    public Store open() {
        return place().open(namespace(), ATTEMPT);
    }

    /**
     * For a command that leads: the default store is made if it is not there, and this is said.
     *
     * @param attempt how long one request is waited for
     */
    public Store openOrMake(Duration attempt) {
        makeIfDefault(place(), surroundings);
        return place().open(namespace(), attempt);
    }

    /** The same for a command that needs only the store's id. */
    public static StoreId idOrMake(StorePlace place, Surroundings surroundings) {
        makeIfDefault(place, surroundings);
        return place.id();
    }

    private static void makeIfDefault(StorePlace place, Surroundings surroundings) {
        if (place.isMadeByUse()) {
            place.init();
            surroundings.say("made the store " + place.shown() + ", the default on this host");
        }
    }
}
