package dev.signet.app.cli;

import dev.signet.FenceException;
import dev.signet.StoreException;
import dev.signet.store.StoreRefusal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What is said of a fault, and the exit code that goes with it.
 *
 * @param line one line, whatever the fault's own message looks like, without passwords
 */
public record Complaint(ExitCode exitCode, String line) {

    public Complaint {
        line = Redaction.of(oneLine(line));
    }

    public static Complaint about(Throwable fault) {
        if (fault instanceof CommandFailedException failed) {
            return new Complaint(failed.exitCode(), failed.line());
        }
        if (fault instanceof StoreException store) {
            return new Complaint(
                    store.kind() == StoreRefusal.Kind.UNREACHABLE ? ExitCode.UNAVAILABLE : ExitCode.CONFIGURATION,
                    message(store));
        }
        if (fault instanceof FenceException fence) {
            return fence.outcome() == FenceException.Outcome.FAILED
                    ? new Complaint(ExitCode.CONFIGURATION, message(fence))
                    : new Complaint(ExitCode.UNAVAILABLE, message(fence) + "; try again");
        }
        if (fault instanceof ParameterException usage) {
            return new Complaint(ExitCode.USAGE, usage(usage));
        }
        if (fault instanceof IllegalArgumentException) {
            return new Complaint(ExitCode.USAGE, message(fault));
        }
        if (fault instanceof InterruptedException) {
            return new Complaint(ExitCode.INTERRUPTED, "interrupted");
        }
        return new Complaint(
                ExitCode.INTERNAL,
                "internal fault, please report it with what --verbose shows: "
                        + fault.getClass().getSimpleName() + ": " + message(fault));
    }

    private static String usage(ParameterException fault) {
        CommandSpec command = fault.getCommandLine().getCommandSpec();
        String message = message(fault);
        String told = fault instanceof UnmatchedArgumentException unmatched
                ? unknown(command, unmatched.getUnmatched())
                : message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
        return told + " (see: " + command.qualifiedName() + " --help)";
    }

    /** Every unknown option; or else the first word that has no place here. What may be an unknown option's value is not told. */
    private static String unknown(CommandSpec command, List<String> arguments) {
        List<String> options =
                arguments.stream().filter(argument -> argument.startsWith("-")).toList();
        if (!options.isEmpty()) {
            return options.stream()
                    .map(option -> unknown(
                            "unknown option",
                            option,
                            command.options().stream().flatMap(known -> Arrays.stream(known.names()))))
                    .collect(Collectors.joining("; "));
        }
        return command.subcommands().isEmpty()
                ? "unexpected argument '" + arguments.get(0) + "'"
                : unknown("unknown command", arguments.get(0), command.subcommands().keySet().stream());
    }

    private static String unknown(String what, String typed, Stream<String> names) {
        String name = what.endsWith("option") ? typed.replaceFirst("=.*", "") : typed;
        return what + " '" + Redaction.of(typed) + "'"
                + Meant.by(name, names)
                        .map(meant -> "; did you mean " + meant + "?")
                        .orElse("");
    }

    private static String message(Throwable fault) {
        return Objects.requireNonNullElse(fault.getMessage(), fault.getClass().getSimpleName());
    }

    private static String oneLine(String text) {
        StringBuilder line = new StringBuilder();
        text.strip().replaceAll("\\s*\\R\\s*", "; ").codePoints().forEach(point -> {
            if (Character.isISOControl(point)) {
                line.append(String.format("\\u%04x", point));
            } else {
                line.appendCodePoint(point);
            }
        });
        return line.toString();
    }
}
