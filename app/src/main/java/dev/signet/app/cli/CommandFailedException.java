package dev.signet.app.cli;

import org.jspecify.annotations.Nullable;

/** Ends a command with an exit code and one line for people, which says what is wrong and what to do. */
public final class CommandFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;

    public CommandFailedException(ExitCode exitCode, String line) {
        this(exitCode, line, null);
    }

    public CommandFailedException(ExitCode exitCode, String line, @Nullable Throwable cause) {
        super(line, cause);
        this.exitCode = exitCode;
    }

    public ExitCode exitCode() {
        return exitCode;
    }

    /** The line that {@link Complaint} is to print. */
    String line() {
        return String.valueOf(getMessage());
    }
}
