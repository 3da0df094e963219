package dev.signet.app.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * The options of one command. Declared by calls rather than by picocli's annotations: reading those by reflection costs more
 * than all the rest of a short command, and a value can come from three places here, the command line, a variable, a default,
 * with its faults named by the place.
 *
 * <p>Each option {@code --some-name} has the variable {@code SIGNET_SOME_NAME}. All faults are collected, then told at once.
 */
public final class Options {

    /** Between the values of a variable that stands for an option given several times: a comma, and the next one's scheme. */
    private static final String NEXT_VALUE = ",(?=[a-z][a-z0-9+.-]*:(?!\\d{1,5}[,/]))";

    private static final String VERBOSE = "--verbose";
    private static final String VERBOSE_MEANING = "Say more on stderr; show the stack trace of a fault.";

    private static final String MISSING = "is missing";

    /** What Java puts in the place of bytes that the locale's encoding does not know: two names may become one. */
    private static final char UNREADABLE = '\uFFFD';

    private final CommandSpec spec;
    private final Surroundings surroundings;
    private final List<Option<?>> all = new ArrayList<>();
    private final Supplier<CommandLine> wholeTree;
    private final Option<Boolean> verbose;

    Options(CommandSpec spec, Surroundings surroundings, Supplier<CommandLine> wholeTree) {
        this.spec = spec;
        this.surroundings = surroundings;
        this.wholeTree = wholeTree;
        this.verbose = new Option<>(VERBOSE, Options::isSet);
    }

    /** Declares what every command has, after what the command declared: so it stands last in its help. */
    void complete() {
        named(verbose, OptionSpec.builder(VERBOSE).arity("0").type(boolean.class), VERBOSE_MEANING);
    }

    private static boolean isSet(List<String> texts) {
        return !texts.isEmpty() && Readers.flag(texts.get(0));
    }

    public Surroundings surroundings() {
        return surroundings;
    }

    /** All commands with all their options, made anew: for completion. */
    public CommandLine wholeTree() {
        return wholeTree.get();
    }

    /** What the command does, beyond its summary: shown below its options. */
    public void describe(String... paragraphs) {
        spec.usageMessage().footer(HelpText.paragraphs(paragraphs));
    }

    public Option<Boolean> flag(String name, String description) {
        OptionSpec.Builder builder = OptionSpec.builder(name).arity("0").type(boolean.class);
        return named(new Option<>(name, Options::isSet), builder, description);
    }

    public <T> Option<T> required(String name, String label, Function<String, T> reader, String description) {
        return named(
                new Option<>(name, texts -> reader.apply(first(texts))),
                single(name, label),
                description + " Required.");
    }

    public <T> Option<Optional<T>> optional(String name, String label, Function<String, T> reader, String description) {
        return named(
                new Option<>(name, texts -> texts.stream().findFirst().map(reader)), single(name, label), description);
    }

    /** @param byDefault the text that is read when no other is given */
    public <T> Option<T> withDefault(
            String name, String label, Function<String, T> reader, String byDefault, String description) {
        return named(
                new Option<>(name, texts -> reader.apply(texts.isEmpty() ? byDefault : texts.get(0))),
                single(name, label),
                description + " Default: " + byDefault);
    }

    /** May be given several times; a variable holds all the values, separated by commas. They have to begin with a scheme. */
    public <T> Option<List<T>> repeated(String name, String label, Function<String, T> reader, String description) {
        OptionSpec.Builder builder = OptionSpec.builder(name)
                .paramLabel(label)
                .arity("1")
                .type(List.class)
                .auxiliaryTypes(String.class);
        return named(
                new Option<>(name, texts -> texts.stream().map(reader).toList()),
                builder,
                description + " May be repeated.");
    }

    /** One argument without a name. */
    public <T> Option<T> argument(String label, Function<String, T> reader, String description) {
        return positional(label, "0", description, texts -> reader.apply(first(texts)));
    }

    /**
     * The rest of the command line, from the first argument without a name, or after {@code --}: a command to run. Empty if
     * there is none.
     */
    public Option<List<String>> rest(String label, String description) {
        spec.parser().stopAtPositional(true);
        spec.usageMessage().customSynopsis(spec.qualifiedName() + " [OPTIONS] -- " + label + "…");
        return positional(label + "…", "0..*", description, List::copyOf);
    }

    /**
     * A value that several options make together, made once they were read. What it refuses by an
     * {@link IllegalArgumentException} is told with all the other faults.
     */
    public <T> Option<T> combined(Supplier<T> supplier) {
        return declared(new Option<>("", texts -> supplier.get()));
    }

    private static OptionSpec.Builder single(String name, String label) {
        return OptionSpec.builder(name).paramLabel(label).arity("1").type(String.class);
    }

    private static String first(List<String> texts) {
        if (texts.isEmpty()) {
            throw new IllegalArgumentException(MISSING);
        }
        return texts.get(0);
    }

    private <T> Option<T> named(Option<T> option, OptionSpec.Builder builder, String description) {
        String text = description + " [" + variable(option.name()) + "]";
        spec.addOption(builder.description(HelpText.escaped(text)).build());
        return declared(option);
    }

    private <T> Option<T> positional(
            String label, String index, String description, Function<List<String>, T> reading) {
        // never required by picocli: what is missing is told with all the other faults
        spec.addPositional(PositionalParamSpec.builder()
                .index(index)
                .arity(index.equals("0") ? "0..1" : index)
                .paramLabel(label)
                .hideParamSyntax(true)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description(HelpText.escaped(description))
                .build());
        return declared(new Option<>(label, reading));
    }

    private <T> Option<T> declared(Option<T> option) {
        all.add(option);
        return option;
    }

    /** {@code SIGNET_LEASE_DURATION} for {@code --lease-duration}. */
    public static String variable(String option) {
        return "SIGNET_" + option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
    }

    boolean isVerbose() {
        return verbose.value();
    }

    /**
     * Reads all values.
     *
     * @throws CommandFailedException naming every fault
     */
    void read(ParseResult parsed) {
        List<String> faults = new ArrayList<>();
        for (Option<?> option : all) {
            read(option, parsed).ifPresent(faults::add);
        }
        if (!faults.isEmpty()) {
            throw new CommandFailedException(
                    ExitCode.USAGE, String.join("; ", faults) + " (see: " + spec.qualifiedName() + " --help)");
        }
    }

    private Optional<String> read(Option<?> option, ParseResult parsed) {
        String place = option.name();
        try {
            List<String> texts = given(option, parsed);
            if (texts.isEmpty() && place.startsWith("--")) {
                Optional<String> variable = surroundings.variable(variable(place));
                if (variable.isPresent()) {
                    place = variable(place);
                    texts = split(option, variable.get());
                }
            }
            requireReadable(texts);
            option.read(texts);
            return Optional.empty();
        } catch (Option.NoValueException e) {
            return Optional.empty(); // a part of it is faulty, and has said so
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            return Optional.of(place.isEmpty() ? message : place + (message.equals(MISSING) ? " " : ": ") + message);
        }
    }

    private static void requireReadable(List<String> texts) {
        if (texts.stream().anyMatch(text -> text.indexOf(UNREADABLE) >= 0)) {
            throw new IllegalArgumentException(
                    "holds characters that this locale cannot read; run with LC_ALL=C.UTF-8 or another UTF-8 locale");
        }
    }

    private static List<String> given(Option<?> option, ParseResult parsed) {
        ArgSpec matched =
                option.name().startsWith("--") ? parsed.matchedOption(option.name()) : parsed.matchedPositional(0);
        if (matched == null || option.name().isEmpty()) {
            return List.of();
        }
        return matched.arity().max() == 0 ? List.of("true") : matched.originalStringValues();
    }

    private List<String> split(Option<?> option, String value) {
        OptionSpec declared = spec.findOption(option.name());
        return declared != null && declared.isMultiValue()
                ? Arrays.asList(value.split(NEXT_VALUE, -1))
                : List.of(value);
    }
}
