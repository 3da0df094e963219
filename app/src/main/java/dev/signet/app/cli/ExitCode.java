package dev.signet.app.cli;

/**
 * The codes with which {@code signet} ends, other than that of a command it runs. Numbers of BSD's {@code sysexits.h} and of
 * the shell, so that scripts and service managers can tell whether to try again.
 */
public enum ExitCode {
    OK(0, "It is done."),
    FAILED(
            1,
            "It ran, and the answer is bad: a simulation found a violation, a mutant survived, a voter takes part no more, or the"
                    + " successor did not lead in time."),
    USAGE(64, "The command line, or a variable that stands for an option, is wrong. Nothing was touched."),
    REFUSED(
            65,
            "A transfer was refused: nobody leads, the successor does not campaign, or the leader says why not. Nothing has changed."),
    UNAVAILABLE(
            69,
            "The store, or the resource, did not answer within 10 s of the first contact, or a quorum is none. Try again later."
                    + " Or the leader cannot be asked from here."),
    INTERNAL(70, "A fault of signet itself, or of its build. Please report it."),
    LEADERSHIP_LOST(75, "The leadership was lost while the command ran. It may be won again: try again."),
    UNKNOWN(76, "It is not known whether the role was handed over: look at the store, by signet status."),
    CONFIGURATION(
            78,
            "The command line is right, but what it names cannot be used as it is: a store that is not initialised, foreign,"
                    + " damaged or not writable, a fence that is not initialised, a full disk. Mend it first."),
    NOT_EXECUTABLE(126, "The command of run is there, but cannot be executed. Found before campaigning."),
    NOT_FOUND(127, "The command of run was not found. Found before campaigning."),
    INTERRUPTED(130, "Ended by INT (Ctrl-C), after draining."),
    TERMINATED(143, "Ended by TERM, after draining.");

    private final int number;
    private final String meaning;

    ExitCode(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    public int number() {
        return number;
    }

    /** For the reference page. */
    public String meaning() {
        return meaning;
    }
}
