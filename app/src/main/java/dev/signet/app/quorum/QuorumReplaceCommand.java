package dev.signet.app.quorum;

import dev.signet.app.cli.Command;
import dev.signet.app.cli.CommandFailedException;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Logging;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Readers;
import dev.signet.app.cli.Surroundings;
import dev.signet.app.place.QuorumUri;
import dev.signet.store.quorum.QuorumCare;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Replacement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** {@code signet quorum replace}. */
public final class QuorumReplaceCommand implements Command {

    private final Option<QuorumUri> quorum;
    private final Option<String> old;
    private final Option<Replacement> replacement;
    private final Option<Duration> timeout;

    public QuorumReplaceCommand(Options options) {
        quorum = QuorumUri.in(options);
        old = options.required("--old", "ID", Voters::id, "The voter that is one no more. It should not run.");
        Option<Map.Entry<String, Address>> added = options.required(
                "--new",
                "ID=HOST:PORT",
                Voters::one,
                "The voter that takes its place: it runs, and was started with --join. Its id was never used.");
        timeout = options.withDefault("--timeout", "D", Readers::duration, "60s", "The longest that it may take.");
        replacement = options.combined(() -> new Replacement(
                old.value(), added.value().getKey(), added.value().getValue()));
        options.describe(
                "Ends when the new voter has everything and votes. Asked again it does no harm. Give all voters the new list,"
                        + " each with its next start.",
                "Exit codes: 0 it votes; 1 it does not, or this is not known, and why; 64 usage.");
    }

    @Override
    public int run(Surroundings surroundings) {
        Logging.quieten("org.apache.ratis");
        Optional<String> fault = QuorumCare.replace(quorum.value().options(), replacement.value(), timeout.value());
        if (fault.isPresent()) {
            throw new CommandFailedException(
                    ExitCode.FAILED,
                    "voter " + old.value() + " is not known to have been replaced: " + fault.get()
                            + "; asking again does no harm");
        }
        surroundings
                .out()
                .println("voter " + replacement.value().id() + " at "
                        + replacement.value().address() + " votes in the place of voter " + old.value());
        return ExitCode.OK.number();
    }
}
