package dev.signet.app;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry of the runnable jar. */
@Command(
        name = "signet",
        subcommands = {Main.Version.class})
public final class Main implements Runnable {

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        new CommandLine(this).usage(System.err);
    }

    @Command(name = "version")
    static final class Version implements Runnable {
        @Override
        public void run() {
            System.out.println("signet " + Main.class.getPackage().getImplementationVersion());
        }
    }
}
