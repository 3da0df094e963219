package dev.signet.app;

import dev.signet.app.cli.CommandTree;
import dev.signet.app.cli.Surroundings;
import java.util.List;

/** The entry of the runnable jar. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(Surroundings.ofProcess(), args));
    }

    /** The same in surroundings of the caller's. */
    static int run(Surroundings surroundings, String... args) {
        return new CommandTree(surroundings, List.of(Commands.values())).run(args);
    }
}
