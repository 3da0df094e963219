package dev.signet.app.command;

import dev.signet.Role;
import dev.signet.app.cli.Command;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Output;
import dev.signet.app.cli.Signals;
import dev.signet.app.cli.Surroundings;
import dev.signet.app.place.Contact;
import dev.signet.app.place.StoreOptions;
import dev.signet.store.RoleView;
import dev.signet.store.Store;
import dev.signet.store.WatchObserver;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** {@code signet watch}. */
public final class WatchCommand implements Command {

    private static final Duration BEFORE_WATCHING_AGAIN = Duration.ofSeconds(2);

    private final Option<Role> role;
    private final StoreOptions storeOptions;
    private final Output output;

    public WatchCommand(Options options) {
        role = options.required("--role", "R", Role::of, "The role to watch.");
        storeOptions = StoreOptions.in(options);
        output = Output.in(options);
        options.describe(
                "Prints how the role stands, then a line for each change, until it is ended. A watch that breaks is begun again;"
                        + " changes meanwhile may show as one. TERM ends it with exit code 0, INT (Ctrl-C) with 130.");
    }

    @Override
    public int run(Surroundings surroundings) throws InterruptedException {
        try (Store store = storeOptions.open()) {
            // a watch would call broken what this refuses, with the reason
            Contact.withinLimit().store(storeOptions.place().shown(), timeout -> store.read(role.value(), timeout));
            follow(store, surroundings);
        }
        return ExitCode.OK.number();
    }

    /** Prints on this thread: whoever reads may be slow, and the store's thread must not wait. */
    private void follow(Store store, Surroundings surroundings) throws InterruptedException {
        BlockingQueue<News> news = new LinkedBlockingQueue<>();
        Signals.onTerm(() -> news.add(new Over()));
        store.watch(role.value(), new Relay(news));
        String last = "";
        while (true) {
            News next = news.take();
            if (next instanceof Seen seen) {
                String standing = standing(seen.view());
                if (!standing.equals(last)) {
                    last = standing;
                    print(seen.view());
                }
            } else if (next instanceof Broken broken) {
                surroundings.say("the watch broke (" + broken.cause() + "); watching again");
                Thread.sleep(BEFORE_WATCHING_AGAIN.toMillis());
                store.watch(role.value(), new Relay(news));
            } else {
                return;
            }
        }
    }

    /** What makes two views different to whoever watches: not the time that passes. */
    private static String standing(RoleView view) {
        return view.version() + " " + view.claimable() + " "
                + view.reservation().isPresent();
    }

    private void print(RoleView view) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        output.print(() -> fields(now, view), out -> out.println(now + " " + view.role() + ": " + RoleText.of(view)));
    }

    private static Map<String, Object> fields(Instant now, RoleView view) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("time", now);
        fields.putAll(Fields.of(view));
        return fields;
    }

    private sealed interface News {}

    private record Seen(RoleView view) implements News {}

    private record Broken(String cause) implements News {}

    private record Over() implements News {}

    private record Relay(BlockingQueue<News> news) implements WatchObserver {

        @Override
        public void observed(RoleView view) {
            news.add(new Seen(view));
        }

        @Override
        public void broken(String cause) {
            news.add(new Broken(cause));
        }
    }
}
