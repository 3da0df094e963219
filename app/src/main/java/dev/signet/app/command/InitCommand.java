package dev.signet.app.command;

import dev.signet.Namespace;
import dev.signet.app.cli.Command;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Output;
import dev.signet.app.cli.Surroundings;
import dev.signet.app.place.Contact;
import dev.signet.app.place.StoreOptions;
import dev.signet.app.place.StorePlace;
import dev.signet.app.place.StorePlace.SetUp;
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
                "Idempotent: a store that is there stays as it is, but one of an older layout is brought up to that of this version,"
                        + " and one of a newer is refused. On a server this makes the tables, in the database and schema that the"
                        + " URI leads to, and needs the right to; nothing else does.",
                "A store that was named by --store is made by this command only, so that a mistyped name founds no second"
                        + " store. The default one (local:) is also made by 'run' and 'fence init' where it is absent,"
                        + " which they say.");
    }

    @Override
    public int run(Surroundings surroundings) {
        StorePlace store = place.value();
        SetUp setUp = store.init();
        StoreTraits traits = traits(store);
        output.print(() -> fields(setUp, traits), out -> {
            out.println(done(store, setUp));
            out.println("store id " + setUp.storeId());
            setUp.folder().ifPresent(folder -> out.println("made its folder " + folder));
            traits.warning().ifPresent(warning -> out.println("warning: " + warning));
        });
        return ExitCode.OK.number();
    }

    private static String done(StorePlace store, SetUp setUp) {
        if (setUp.isMade()) {
            return "made the store " + store.shown();
        }
        return setUp.layoutBefore() < setUp.layout()
                ? "brought the store " + store.shown() + " up from layout " + setUp.layoutBefore() + " to "
                        + setUp.layout()
                : "the store " + store.shown() + " is there already";
    }

    private static StoreTraits traits(StorePlace place) {
        try (Store store = place.open(Namespace.DEFAULT, Contact.LIMIT)) {
            return store.traits();
        }
    }

    private static Map<String, Object> fields(SetUp setUp, StoreTraits traits) {
        Map<String, Object> fields = Fields.of(traits);
        fields.put("storeId", setUp.storeId());
        fields.put("made", setUp.isMade());
        fields.put("layoutBefore", setUp.layoutBefore());
        fields.put("layout", setUp.layout());
        return fields;
    }
}
