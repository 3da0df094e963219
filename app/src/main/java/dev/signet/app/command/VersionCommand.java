package dev.signet.app.command;

import dev.signet.app.cli.Command;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Output;
import dev.signet.app.cli.Surroundings;
import java.util.Map;
import java.util.Objects;

/** {@code signet version}. */
public final class VersionCommand implements Command {

    private final Output output;

    public VersionCommand(Options options) {
        output = Output.in(options);
    }

    @Override
    public int run(Surroundings surroundings) {
        output.print(() -> Map.of("version", version()), out -> out.println("signet " + version()));
        return ExitCode.OK.number();
    }

    /** From the jar's manifest; classes that were not packed have none. */
    private static String version() {
        return Objects.requireNonNullElse(VersionCommand.class.getPackage().getImplementationVersion(), "(not packed)");
    }
}
