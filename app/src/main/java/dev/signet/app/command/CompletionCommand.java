package dev.signet.app.command;

import dev.signet.app.cli.Command;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Surroundings;
import picocli.AutoComplete;

/** {@code signet completion}. */
public final class CompletionCommand implements Command {

    private final Options options;

    public CompletionCommand(Options options) {
        this.options = options;
        // one script serves both: under zsh it first loads what makes zsh read completions of bash
        options.argument("SHELL", CompletionCommand::shell, "bash or zsh.");
        options.describe(
                "Prints a script for the shell to read: source <(./signet completion bash); in zsh after compinit. To keep"
                        + " it, put that line into ~/.bashrc or ~/.zshrc, with the whole path of signet.");
    }

    private static String shell(String text) {
        if (!text.equals("bash") && !text.equals("zsh")) {
            throw new IllegalArgumentException("'" + text + "' is not known; there are bash and zsh");
        }
        return text;
    }

    @Override
    public int run(Surroundings surroundings) {
        surroundings.out().print(AutoComplete.bash("signet", options.wholeTree()));
        surroundings.out().flush();
        return ExitCode.OK.number();
    }
}
