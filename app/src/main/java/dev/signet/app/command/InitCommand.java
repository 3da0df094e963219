package dev.signet.app.command;

import dev.signet.Namespace;
import dev.signet.StoreId;
import dev.signet.app.cli.Command;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Output;
import dev.signet.app.cli.Surroundings;
import dev.signet.app.place.StoreOptions;
import dev.signet.app.place.StorePlace;
import dev.signet.store.Store;
import dev.signet.store.StoreTraits;
import java.util.Map;

/** {@code signet init}. */
public final class InitCommand implements Command {

    private final Option<StorePlace> place;
    private final Output output;

    public InitCommand(Options options) {
        place = StoreOptions.store(options);
        output = Output.in(options);
        options.describe(
                "Idempotent: a store that is there stays as it is. A store that was named by --store is made by this command"
                        + " only, so that a mistyped name founds no second store. The default one (local:) is also made by"
                        + " 'run' and 'fence init' where it is absent, which they say.");
    }

    @Override
    public int run(Surroundings surroundings) {
        StorePlace store = place.value();
        boolean made = !store.exists();
        StoreId id = store.init();
        StoreTraits traits = traits(store);
        output.print(() -> fields(made, id, traits), out -> {
            out.println(made ? "made the store " + store.shown() : "the store " + store.shown() + " is there already");
            out.println("store id " + id);
            traits.warning().ifPresent(warning -> out.println("warning: " + warning));
        });
        return ExitCode.OK.number();
    }

    private static StoreTraits traits(StorePlace place) {
        try (Store store = place.open(Namespace.DEFAULT)) {
            return store.traits();
        }
    }

    private static Map<String, Object> fields(boolean made, StoreId id, StoreTraits traits) {
        Map<String, Object> fields = Fields.of(traits);
        fields.put("storeId", id);
        fields.put("made", made);
        return fields;
    }
}
