package dev.signet.app.command;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Role;
import dev.signet.app.cli.Command;
import dev.signet.app.cli.CommandFailedException;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Output;
import dev.signet.app.cli.Readers;
import dev.signet.app.cli.Surroundings;
import dev.signet.app.control.ControlClient;
import dev.signet.app.control.ControlPlace;
import dev.signet.app.control.TransferRequest;
import dev.signet.app.place.StoreOptions;
import dev.signet.store.Concluded;
import dev.signet.store.Holder;
import dev.signet.store.RoleView;
import dev.signet.store.Store;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** {@code signet transfer}: asks the leader, which alone can reserve its role, and looks at the store for what comes of it. */
public final class TransferCommand implements Command {

    private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(1);
    private static final Duration LONGEST_WINDOW = Duration.ofDays(1);

    private final Option<Role> role;
    private final Option<String> to;
    private final Option<Duration> window;
    private final StoreOptions storeOptions;
    private final Output output;

    public TransferCommand(Options options) {
        role = options.required("--role", "R", Role::of, "The role to hand over.");
        to = options.required(
                "--to",
                "CANDIDATE",
                text -> text,
                "Who is to lead: the whole id of a candidate that waits for the role, or its name if only one of that name does.");
        storeOptions = StoreOptions.in(options);
        window = options.withDefault(
                "--window",
                "D",
                TransferCommand::window,
                "60s",
                "For so long the role is kept for it, and waited for. The leader's command has to end within.");
        output = Output.in(options);
        options.describe(
                "Asks the leader, on this host and of this user, to hand the role over. Its command is ended as when TERM is sent"
                        + " to it, --on-deposed runs, and the role is released for the successor alone. The leader's signet run goes on"
                        + " campaigning, and is granted the role again only when the window has passed, or the successor's session is over.",
                "Exit codes: 0 the successor leads; 1 the window has passed without; 65 refused, and nothing has changed; 69 the store"
                        + " does not answer, or the leader cannot be asked from here; 76 it is not known; 64 usage.");
    }

    private static Duration window(String text) {
        Duration duration = Readers.duration(text);
        if (duration.compareTo(SHORTEST_WINDOW) < 0 || duration.compareTo(LONGEST_WINDOW) > 0) {
            throw new IllegalArgumentException("'" + text + "' is outside 1s to 24h");
        }
        return duration;
    }

    @Override
    public int run(Surroundings surroundings) throws InterruptedException {
        try (Store store = storeOptions.open()) {
            RoleWitness witness = new RoleWitness(store, storeOptions.place().shown(), role.value());
            Holder leader = leader(witness.look());
            CandidateId successor = successor(leader, witness.candidates());
            long end = System.nanoTime() + window.value().toNanos();
            Answer<Concluded, String> answer = ask(leader, successor, surroundings);
            return answer.<Sequel>fold(
                            done -> () -> await(witness, leader, successor, end),
                            why -> {
                                throw refused(leader.candidate() + " refuses: " + why);
                            },
                            unknown -> () -> unknown(witness, leader, successor, unknown.cause()))
                    .exitCode();
        }
    }

    /** What comes after the leader's answer. */
    private interface Sequel {
        int exitCode() throws InterruptedException;
    }

    private Holder leader(RoleView view) {
        if (view.holder().isEmpty() || view.claimable()) {
            throw refused("nobody leads role '" + role.value() + "': " + RoleText.of(view));
        }
        return view.holder().get();
    }

    /** By its id, or by its name. The store is asked, so that what is mistyped is refused before anybody is disturbed. */
    private CandidateId successor(Holder leader, List<CandidateId> campaigning) {
        List<CandidateId> waiting = campaigning.stream()
                .filter(candidate -> !candidate.equals(leader.candidate()))
                .toList();
        List<CandidateId> meant = named(waiting);
        if (meant.size() == 1) {
            return meant.get(0);
        }
        if (meant.size() > 1) {
            throw refused("'" + to.value() + "' is the name of " + meant.size() + " candidates: " + listed(meant)
                    + "; give the whole id of one");
        }
        if (!named(List.of(leader.candidate())).isEmpty()) {
            throw refused(
                    "'" + leader.candidate() + "' leads role '" + role.value() + "' already, token " + leader.token());
        }
        throw refused("'" + to.value() + "' does not campaign for role '" + role.value() + "'; "
                + (waiting.isEmpty() ? "nobody waits for it" : "who waits for it: " + listed(waiting)));
    }

    /** Whose id this is, else whose name. */
    private List<CandidateId> named(List<CandidateId> among) {
        List<CandidateId> byId = among.stream()
                .filter(candidate -> candidate.toString().equals(to.value()))
                .toList();
        return byId.isEmpty()
                ? among.stream()
                        .filter(candidate -> candidate.name().equals(to.value()))
                        .toList()
                : byId;
    }

    static String listed(List<CandidateId> candidates) {
        return candidates.stream().map(CandidateId::toString).sorted().collect(Collectors.joining(", "));
    }

    private Answer<Concluded, String> ask(Holder leader, CandidateId successor, Surroundings surroundings) {
        TransferRequest request = new TransferRequest(role.value(), leader.token(), successor, window.value());
        try {
            List<ControlPlace> places = ControlPlace.toLook(surroundings);
            Optional<ControlClient> found = ControlClient.find(places, leader.candidate());
            try (ControlClient client = found.orElseThrow(() -> elsewhere(leader, places))) {
                return client.ask(request, window.value());
            }
        } catch (IOException e) {
            throw new CommandFailedException(
                    ExitCode.CONFIGURATION, "the leader cannot be asked: " + e.getMessage(), e);
        }
    }

    private static CommandFailedException elsewhere(Holder leader, List<ControlPlace> places) {
        String looked = places.stream().map(place -> place.folder().toString()).collect(Collectors.joining(", "));
        String where = leader.hint()
                .publicUri()
                .or(() -> leader.hint().internalUri())
                .map(uri -> ", which says that it is at " + uri)
                .orElse("");
        return new CommandFailedException(
                ExitCode.UNAVAILABLE,
                "only the leader itself can hand the role over, and no signet run of this user on this host is "
                        + leader.candidate() + " (looked in " + looked + "); ask on its host, as the user who runs it"
                        + where);
    }

    private int await(RoleWitness witness, Holder leader, CandidateId successor, long end) throws InterruptedException {
        RoleView view;
        try {
            view = witness.awaitSuccessor(leader.token(), end);
        } catch (CommandFailedException silence) {
            return unknown(witness, leader, successor, "it released the role, but " + silence.getMessage());
        }
        Optional<Holder> now = view.holder().filter(holder -> !view.claimable());
        if (now.map(Holder::candidate).equals(Optional.of(successor))) {
            print(Outcome.LEADS, leader, successor, Optional.of(view));
            return ExitCode.OK.number();
        }
        return conclude(
                Outcome.NOT_IN_TIME,
                ExitCode.FAILED,
                leader,
                successor,
                Optional.of(view),
                "role '" + role.value() + "' was released for '" + successor + "', which does not lead it: "
                        + RoleText.of(view));
    }

    private int unknown(RoleWitness witness, Holder leader, CandidateId successor, String cause)
            throws InterruptedException {
        Optional<RoleView> view = witness.glance();
        return conclude(
                Outcome.UNKNOWN,
                ExitCode.UNKNOWN,
                leader,
                successor,
                view,
                "it is not known whether role '" + role.value() + "' passes from '" + leader.candidate() + "' to '"
                        + successor + "': " + cause + "; the store says: "
                        + view.map(RoleText::of).orElse("nothing"));
    }

    private int conclude(
            Outcome outcome,
            ExitCode code,
            Holder leader,
            CandidateId successor,
            Optional<RoleView> view,
            String line) {
        if (output.isJson()) {
            print(outcome, leader, successor, view);
        }
        throw new CommandFailedException(code, line);
    }

    private enum Outcome {
        LEADS,
        NOT_IN_TIME,
        UNKNOWN
    }

    private void print(Outcome outcome, Holder leader, CandidateId successor, Optional<RoleView> view) {
        output.print(
                () -> {
                    Map<String, Object> fields = new LinkedHashMap<>();
                    fields.put("outcome", outcome);
                    fields.put("role", role.value());
                    fields.put("from", leader.candidate());
                    fields.put("to", successor);
                    fields.put("seen", view.map(Fields::of));
                    return fields;
                },
                out -> out.println(
                        "role " + role.value() + ": " + view.map(RoleText::of).orElse("")));
    }

    private static CommandFailedException refused(String line) {
        return new CommandFailedException(ExitCode.REFUSED, line);
    }
}
