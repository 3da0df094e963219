package dev.signet.app.child;

/** The command cannot be run, and signet need not campaign for it. */
public final class CommandNotRunnableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    CommandNotRunnableException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** As a shell has it: 126 where the command exists and cannot be executed, 127 where it was not found. */
    public int exitCode() {
        return exitCode;
    }
}
