package dev.signet.app.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * All commands, as picocli wants them. A command line that begins with a command's words makes a tree of that command alone, and
 * loads its class only; any other makes one of all names with their summaries. Completion declares them all.
 */
public final class CommandTree {

    private static final String NAME = "signet";
    private static final String SUMMARY = "Leader election whose token is checked where the write lands.";

    /** What the first word of two stands for. */
    private static final Map<String, String> GROUPS = Map.of(
            "fence", "Set up a resource's fence, and look at it.",
            "quorum", "Look at an embedded quorum, and after its voters.");

    private final Surroundings surroundings;
    private final List<? extends Verb> verbs;
    private final Map<CommandSpec, Declared> declared = new LinkedHashMap<>();

    private record Declared(Options options, Command command) {}

    public CommandTree(Surroundings surroundings, List<? extends Verb> verbs) {
        this.surroundings = surroundings;
        this.verbs = verbs;
    }

    /** Runs one command line; every fault becomes a line on stderr. */
    public int run(String... arguments) {
        try {
            return runOrThrow(asMeant(arguments));
        } catch (Exception | LinkageError | StackOverflowError e) {
            Complaint complaint = Complaint.about(e);
            surroundings.say(complaint.line());
            if (asksForVerbose(arguments)) {
                surroundings.err().print(trace(e));
            }
            return complaint.exitCode().number();
        }
    }

    private static String trace(Throwable fault) {
        StringWriter trace = new StringWriter();
        fault.printStackTrace(new PrintWriter(trace, true));
        return Redaction.of(trace.toString());
    }

    private int runOrThrow(String... arguments) throws Exception {
        CommandLine commandLine = commandLine(meant(arguments));
        ParseResult parsed = commandLine.parseArgs(arguments);
        for (ParseResult part = parsed; ; part = part.subcommand()) {
            if (part.isUsageHelpRequested()) {
                requireKnown(part);
                part.commandSpec().commandLine().usage(surroundings.out(), Ansi.OFF);
                return ExitCode.OK.number();
            }
            if (!part.hasSubcommand()) {
                return run(part);
            }
        }
    }

    /** picocli shows the help of what is above an unknown command. */
    private static void requireKnown(ParseResult parsed) {
        List<String> words = parsed.unmatched().stream()
                .filter(word -> !word.startsWith("-"))
                .toList();
        CommandLine commandLine = parsed.commandSpec().commandLine();
        if (!words.isEmpty() && !commandLine.getSubcommands().isEmpty()) {
            throw new UnmatchedArgumentException(commandLine, words);
        }
    }

    private int run(ParseResult parsed) throws Exception {
        @Nullable Declared target = declared.get(parsed.commandSpec());
        if (target == null) {
            parsed.commandSpec().commandLine().usage(surroundings.err(), Ansi.OFF);
            return ExitCode.USAGE.number();
        }
        target.options().read(parsed);
        Logging.prepare(target.options().isVerbose());
        return target.command().run(surroundings);
    }

    /**
     * {@code help fence init} and {@code fence help init} are {@code fence init --help}; {@code --version}, for which people reach
     * first, is {@code version}.
     */
    private static String[] asMeant(String... arguments) {
        List<String> words = new ArrayList<>(Arrays.asList(arguments));
        if (words.isEmpty()) {
            return arguments;
        }
        if (words.get(0).equals("--version")) {
            words.set(0, "version");
        }
        int place = GROUPS.containsKey(words.get(0)) ? 1 : 0;
        for (int i = 0; i <= place && i < words.size(); i++) {
            if (words.get(i).equals("help")) {
                words.remove(i);
                words.add("--help");
                break;
            }
        }
        return words.toArray(new String[0]);
    }

    private Optional<Verb> meant(String... arguments) {
        String one = arguments.length > 0 ? arguments[0] : "";
        String two = arguments.length > 1 ? one + " " + arguments[1] : one;
        for (Verb verb : verbs) {
            if (verb.words().equals(one) || verb.words().equals(two)) {
                return Optional.of(verb);
            }
        }
        return Optional.empty();
    }

    private boolean asksForVerbose(String... arguments) {
        for (String argument : arguments) {
            if (argument.equals("--")) {
                break;
            }
            if (argument.equals("--verbose")) {
                return true;
            }
        }
        return surroundings.variable("SIGNET_VERBOSE").isPresent();
    }

    /** With every command declared: for completion, and for the reference page. */
    public CommandLine whole() {
        CommandSpec root = root();
        addHelpTo(root);
        verbs.forEach(verb -> declare(verb, place(root, verb)));
        return configured(root);
    }

    /** Only the command that is meant, or else the names of all: picocli takes some milliseconds for each. */
    private CommandLine commandLine(Optional<Verb> meant) {
        CommandSpec root = root();
        if (meant.isPresent()) {
            declare(meant.get(), place(root, meant.get()));
        } else {
            addHelpTo(root);
            verbs.forEach(verb -> place(root, verb));
        }
        return configured(root);
    }

    private static CommandSpec root() {
        CommandSpec root = described(NAME, SUMMARY);
        root.usageMessage().footer(HelpText.paragraphs("signet help COMMAND tells more of one."));
        return root;
    }

    /** In the list only: {@code help} never reaches picocli. */
    private static void addHelpTo(CommandSpec root) {
        root.addSubcommand("help", described("help", "Show the help of a command."));
    }

    /** Hangs an empty command into the tree, below its group if its name has two words. */
    private static CommandSpec place(CommandSpec root, Verb verb) {
        int space = verb.words().indexOf(' ');
        CommandSpec parent = space < 0 ? root : group(root, verb.words().substring(0, space));
        String name = verb.words().substring(space + 1);
        CommandSpec spec = described(name, verb.summary());
        parent.addSubcommand(name, spec);
        return spec;
    }

    private static CommandSpec group(CommandSpec root, String name) {
        CommandLine present = root.subcommands().get(name);
        if (present != null) {
            return present.getCommandSpec();
        }
        CommandSpec group = described(name, GROUPS.getOrDefault(name, ""));
        root.addSubcommand(name, group);
        return group;
    }

    private static CommandSpec described(String name, String summary) {
        CommandSpec spec = CommandSpec.create().name(name);
        UsageMessageSpec usage = spec.usageMessage();
        usage.description(HelpText.escaped(summary));
        usage.sortOptions(false);
        usage.abbreviateSynopsis(true);
        spec.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .arity("0")
                .type(boolean.class)
                .description("Show this help.")
                .build());
        return spec;
    }

    private void declare(Verb verb, CommandSpec spec) {
        Options options = new Options(spec, surroundings, () -> new CommandTree(surroundings, verbs).whole());
        Command command = verb.declare(options);
        options.complete();
        declared.put(spec, new Declared(options, command));
    }

    /** Arguments mean what they say: no file is read for an {@code @}, no prefix taken for a name, no quotes removed. */
    private static CommandLine configured(CommandSpec root) {
        return new CommandLine(root).setExpandAtFiles(false).setPosixClusteredShortOptionsAllowed(false);
    }
}
