package dev.signet.app.run;

import dev.signet.CandidateId;
import dev.signet.Protection;
import dev.signet.Role;
import dev.signet.app.child.ChildCommand;
import dev.signet.app.child.CommandNotRunnableException;
import dev.signet.app.child.GuardSettings;
import dev.signet.app.cli.Command;
import dev.signet.app.cli.CommandFailedException;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Readers;
import dev.signet.app.cli.Surroundings;
import dev.signet.app.cli.TimingOptions;
import dev.signet.app.place.ProtectOptions;
import dev.signet.app.place.ProtectedResource;
import dev.signet.app.place.StoreOptions;
import dev.signet.fence.Fence;
import dev.signet.store.Store;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code signet run}. */
public final class RunCommand implements Command {

    private final Option<Role> role;
    private final StoreOptions store;
    private final Option<List<ProtectedResource>> resources;
    private final Option<Optional<String>> unfenced;
    private final Option<Optional<String>> id;
    private final Option<Optional<URI>> advertise;
    private final TimingOptions timing;
    private final Option<OnLost> onLost;
    private final Option<Optional<Duration>> killAfter;
    private final Option<Optional<String>> onElected;
    private final Option<Optional<String>> onDeposed;
    private final Option<Duration> hookTimeout;
    private final Option<GuardSettings> guard;
    private final Option<List<String>> command;

    public RunCommand(Options options) {
        role = options.required("--role", "R", Role::of, "What must have one owner at a time.");
        store = StoreOptions.in(options);
        resources = ProtectOptions.all(options);
        unfenced = options.optional(
                "--unfenced",
                "REASON",
                RunCommand::reason,
                "Why nothing is protected. Then a paused or cut-off leader's writes can land after its successor's.");
        id = options.optional(
                "--id",
                "NAME",
                RunCommand::candidateName,
                "Names this candidate; each start adds a suffix of its own. Default: the host's name.");
        advertise = options.optional("--advertise", "URL", Readers::uri, "Where others reach it while it leads.");
        timing = TimingOptions.in(options);
        onLost = options.withDefault(
                "--on-lost",
                "stop|restart",
                RunCommand::onLost,
                "stop",
                "When leadership is lost and the command was ended: end with code 75, or campaign again.");
        killAfter = options.optional(
                "--kill-after",
                "D",
                Readers::duration,
                "From TERM to KILL. Default: the smaller of 3s and 60 % of lease minus deadline.");
        onElected = options.optional(
                "--on-elected",
                "CMD",
                text -> text,
                "For sh; runs before the command starts. If it fails the role is given up for a while.");
        onDeposed = options.optional(
                "--on-deposed",
                "CMD",
                text -> text,
                "For sh; runs when the command is gone, and before the role is released if it is still held.");
        hookTimeout = options.withDefault(
                "--hook-timeout", "D", Readers::duration, "30s", "The longest that each of these two may take.");
        guard = options.combined(() -> GuardSettings.of(
                timing.timing().leaseDuration(), timing.timing().renewDeadline(), killAfter.value()));
        command = options.rest("CMD", "What runs while this candidate leads, after --.");
        options.combined(this::requireProtectionAndCommand);
        options.describe(
                "CMD runs in a session of its own with SIGNET_ROLE, SIGNET_TOKEN, SIGNET_TERM_ID, SIGNET_STORE_ID and"
                        + " SIGNET_CANDIDATE, and with no other SIGNET_ variable; SIGNET_TERM_ID is a secret. Its stdin,"
                        + " stdout and exit code are passed through. When it ends the role is released. It is no"
                        + " scheduler: whoever waits starts its own CMD right after.",
                "TERM and INT end the command first and release the role after it. A process that CMD starts with a session"
                        + " and an environment of its own is out of reach. So is CMD itself when signet and its guard are killed or"
                        + " stopped together, as by pkill -9 -f signet.",
                "signet transfer has it hand the role over to a candidate that waits: CMD is ended as by TERM, and this goes on"
                        + " campaigning, whatever --on-lost says.",
                "Exit codes: that of CMD; 75 leadership was lost; 69 the store does not answer; 78 store or fence are not"
                        + " set up; 64 usage; 126, 127 CMD cannot be run; 143, 130 after TERM, INT.");
    }

    private boolean requireProtectionAndCommand() {
        List<String> faults = new ArrayList<>();
        boolean fenced = !resources.value().isEmpty();
        if (fenced == unfenced.value().isPresent()) {
            faults.add(
                    fenced
                            ? "--protect and --unfenced exclude each other: give one of them"
                            : "give --protect URI#RESOURCE, or else --unfenced REASON if nothing needs protection");
        }
        if (command.value().isEmpty()) {
            faults.add("give a command to run, after --");
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", faults));
        }
        return true;
    }

    private static String reason(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("is blank; say why nothing needs protection");
        }
        return text;
    }

    private static String candidateName(String text) {
        return CandidateId.incarnationOf(text).name();
    }

    private static OnLost onLost(String text) {
        return switch (text) {
            case "stop" -> OnLost.STOP;
            case "restart" -> OnLost.RESTART;
            default -> throw new IllegalArgumentException("'" + text + "' is neither stop nor restart");
        };
    }

    @Override
    public int run(Surroundings surroundings) throws Exception {
        RunPlan plan = plan();
        try (Store opened = store.openOrMake(plan.timing().attemptTimeout())) {
            surroundings.say(opened.traits().name()
                    + opened.traits().warning().map(warning -> ": " + warning).orElse(""));
            FenceCheck fences = new FenceCheck(role.value(), store.place(), resources.value());
            return new Run(plan, opened, fences, surroundings).execute();
        }
    }

    private RunPlan plan() {
        ChildCommand child = find(command.value());
        return new RunPlan(
                role.value(),
                id.value().orElseGet(HostName::read),
                advertise.value(),
                protection(),
                timing.timing(),
                guard.value(),
                onLost.value(),
                child,
                onElected.value().map(RunCommand::shell),
                onDeposed.value().map(RunCommand::shell),
                hookTimeout.value());
    }

    private Protection protection() {
        return unfenced.value()
                .map(Protection::unfenced)
                .orElseGet(() -> Protection.by(
                        resources.value().stream().map(ProtectedResource::fence).toArray(Fence[]::new)));
    }

    private static ChildCommand shell(String script) {
        return find(List.of("sh", "-c", script));
    }

    private static ChildCommand find(List<String> words) {
        try {
            return ChildCommand.find(words);
        } catch (CommandNotRunnableException e) {
            ExitCode code =
                    e.exitCode() == ExitCode.NOT_EXECUTABLE.number() ? ExitCode.NOT_EXECUTABLE : ExitCode.NOT_FOUND;
            throw new CommandFailedException(code, String.valueOf(e.getMessage()), e);
        }
    }
}
