package dev.signet.app.quorum;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.app.cli.Command;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Logging;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Output;
import dev.signet.app.cli.Surroundings;
import dev.signet.app.place.QuorumUri;
import dev.signet.store.quorum.QuorumStatus;
import dev.signet.store.quorum.QuorumStatus.Told;
import dev.signet.store.quorum.QuorumStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code signet quorum status}. */
public final class QuorumStatusCommand implements Command {

    private static final Duration ASK = Duration.ofSeconds(2);
    private static final Duration CONFIRM = Duration.ofSeconds(5);

    /** Whoever reads it, led or not, learns that a majority answers. */
    private static final Role ANY = Role.of("signet");

    private final Option<QuorumUri> quorum;
    private final Output output;

    public QuorumStatusCommand(Options options) {
        quorum = QuorumUri.in(options);
        output = Output.in(options);
        options.describe(
                "Asks each voter how it stands, and the quorum itself one question that takes a majority to answer. Changes"
                        + " nothing.",
                "Exit codes: 0 there is a quorum; 69 there is none. A voter that is down does not change the first: look at"
                        + " the lines, or at \"answers\" in the JSON.");
    }

    @Override
    public int run(Surroundings surroundings) {
        Logging.quieten("org.apache.ratis");
        Optional<String> fault = fault();
        List<Told> told = QuorumStatus.ask(quorum.value().options(), ASK);
        QuorumReport report = new QuorumReport(quorum.value().shown(), fault, told);
        output.print(report::fields, out -> report.lines().forEach(out::println));
        return fault.isEmpty() ? ExitCode.OK.number() : ExitCode.UNAVAILABLE.number();
    }

    /** Why there is no quorum. */
    private Optional<String> fault() {
        try (QuorumStore store = QuorumStore.open(quorum.value().options(), Namespace.DEFAULT)) {
            return store.read(ANY, CONFIRM)
                    .toCompletableFuture()
                    .join()
                    .fold(
                            view -> Optional.empty(),
                            refusal -> Optional.of(refusal.message()),
                            unknown -> Optional.of(unknown.cause()));
        }
    }
}
