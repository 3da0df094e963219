package dev.signet.app;

import dev.signet.app.cli.Command;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Verb;
import dev.signet.app.command.CompletionCommand;
import dev.signet.app.command.FenceInitCommand;
import dev.signet.app.command.FenceResetCommand;
import dev.signet.app.command.FenceStatusCommand;
import dev.signet.app.command.FenceTableCommand;
import dev.signet.app.command.InitCommand;
import dev.signet.app.command.SimulateCommand;
import dev.signet.app.command.StatusCommand;
import dev.signet.app.command.TransferCommand;
import dev.signet.app.command.VersionCommand;
import dev.signet.app.command.WatchCommand;
import dev.signet.app.quorum.QuorumReplaceCommand;
import dev.signet.app.quorum.QuorumStatusCommand;
import dev.signet.app.quorum.ServerCommand;
import dev.signet.app.run.RunCommand;

/** The commands that exist, in the order in which help shows them. */
enum Commands implements Verb {
    RUN("run", "Run a command for as long as this candidate leads."),
    INIT("init", "Make the store where leadership is decided."),
    STATUS("status", "Show who leads."),
    WATCH("watch", "Print each change of a role's leadership."),
    TRANSFER("transfer", "Hand a role over to a candidate that waits for it."),
    FENCE_INIT("fence init", "Give a resource its fence."),
    FENCE_PROTECT("fence protect", "Have the database refuse unstamped writes to a table."),
    FENCE_UNPROTECT("fence unprotect", "Take that protection away again."),
    FENCE_RESET("fence reset", "Bind a fence anew, whatever it has seen."),
    FENCE_STATUS("fence status", "Show what a fence was sealed with, and what it protects."),
    SERVER("server", "Run one voter of an embedded quorum."),
    QUORUM_STATUS("quorum status", "Show how the voters of a quorum stand."),
    QUORUM_REPLACE("quorum replace", "Put a voter in the place of another."),
    SIMULATE("simulate", "Rehearse the election in simulated worlds."),
    VERSION("version", "Print the version."),
    COMPLETION("completion", "Print completion for bash or zsh.");

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
            case RUN -> new RunCommand(options);
            case INIT -> new InitCommand(options);
            case STATUS -> new StatusCommand(options);
            case WATCH -> new WatchCommand(options);
            case TRANSFER -> new TransferCommand(options);
            case FENCE_INIT -> new FenceInitCommand(options);
            case FENCE_PROTECT -> FenceTableCommand.protecting(options);
            case FENCE_UNPROTECT -> FenceTableCommand.unprotecting(options);
            case FENCE_RESET -> new FenceResetCommand(options);
            case FENCE_STATUS -> new FenceStatusCommand(options);
            case SERVER -> new ServerCommand(options);
            case QUORUM_STATUS -> new QuorumStatusCommand(options);
            case QUORUM_REPLACE -> new QuorumReplaceCommand(options);
            case SIMULATE -> new SimulateCommand(options);
            case COMPLETION -> new CompletionCommand(options);
            case VERSION -> new VersionCommand(options);
        };
    }
}
