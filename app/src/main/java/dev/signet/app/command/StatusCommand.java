package dev.signet.app.command;

import dev.signet.CandidateId;
import dev.signet.Role;
import dev.signet.app.cli.Command;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Output;
import dev.signet.app.cli.Surroundings;
import dev.signet.app.place.Contact;
import dev.signet.app.place.StoreOptions;
import dev.signet.store.RoleView;
import dev.signet.store.Store;
import dev.signet.store.StoreTraits;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code signet status}. */
public final class StatusCommand implements Command {

    private final Option<Optional<Role>> role;
    private final StoreOptions storeOptions;
    private final Output output;

    public StatusCommand(Options options) {
        role = options.optional(
                "--role",
                "R",
                Role::of,
                "Only this role, also if it was never led, and who campaigns for it. Default: all roles.");
        storeOptions = StoreOptions.in(options);
        output = Output.in(options);
        options.describe(
                "Shows nothing secret: of a term its token and a digest of its id. Who leads may change while it is"
                        + " printed; only the fence at a resource decides over a write.");
    }

    @Override
    public int run(Surroundings surroundings) throws InterruptedException {
        try (Store store = storeOptions.open()) {
            List<RoleView> roles = roles(store);
            Optional<List<CandidateId>> candidates = candidates(store);
            StoreTraits traits = store.traits();
            output.print(() -> fields(traits, roles, candidates), out -> print(out, traits, roles, candidates));
        }
        return ExitCode.OK.number();
    }

    private List<RoleView> roles(Store store) throws InterruptedException {
        Contact contact = Contact.withinLimit();
        String shown = storeOptions.place().shown();
        if (role.value().isEmpty()) {
            return contact.store(shown, store::roles);
        }
        Role only = role.value().get();
        RoleView view = contact.store(shown, timeout -> store.read(only, timeout));
        return List.of(view);
    }

    /** Of one role only: of each it would be a question more. */
    private Optional<List<CandidateId>> candidates(Store store) throws InterruptedException {
        if (role.value().isEmpty()) {
            return Optional.empty();
        }
        Role only = role.value().get();
        List<CandidateId> found =
                Contact.withinLimit().store(storeOptions.place().shown(), timeout -> store.candidates(only, timeout));
        return Optional.of(found.stream()
                .sorted(Comparator.comparing(CandidateId::toString))
                .toList());
    }

    private Map<String, Object> fields(
            StoreTraits traits, List<RoleView> roles, Optional<List<CandidateId>> candidates) {
        Map<String, Object> fields = Fields.of(traits);
        fields.put("namespace", storeOptions.namespace());
        fields.put("roles", roles.stream().map(Fields::of).toList());
        fields.put("candidates", candidates);
        return fields;
    }

    /** In short what {@code init} and {@code run} say at length. */
    private static String worth(StoreTraits.Kind kind) {
        return switch (kind) {
            case QUORUM -> "";
            case SINGLE_SERVER -> " (no quorum: one server)";
            case SINGLE_HOST -> " (no quorum: this host only)";
            case IN_PROCESS -> " (no quorum: this process only)";
        };
    }

    private void print(
            PrintStream out, StoreTraits traits, List<RoleView> roles, Optional<List<CandidateId>> candidates) {
        out.println("store " + traits.name() + ", namespace " + storeOptions.namespace() + worth(traits.kind()));
        if (roles.isEmpty()) {
            out.println("no role was ever led here");
        }
        for (RoleView view : roles) {
            out.println("role " + view.role() + ": " + RoleText.of(view));
        }
        candidates.ifPresent(all -> out.println(
                all.isEmpty() ? "nobody campaigns for it" : "who campaigns for it: " + TransferCommand.listed(all)));
    }
}
