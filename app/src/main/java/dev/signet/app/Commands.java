package dev.signet.app;

import dev.signet.app.cli.Command;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Verb;
import dev.signet.app.command.VersionCommand;

/** The commands that exist, in the order in which help shows them. */
enum Commands implements Verb {
    VERSION("version", "Print the version.");

    private final String words;
    private final String summary;

    Commands(String words, String summary) {
        this.words = words;
        this.summary = summary;
    }

    @Override
    public String words() {
        return words;
    }

    @Override
    public String summary() {
        return summary;
    }

    /** Only here is the class of a command loaded. */
    @Override
    public Command declare(Options options) {
        return switch (this) {
            case VERSION -> new VersionCommand(options);
        };
    }
}
