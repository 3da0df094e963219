package dev.signet.app.cli;

/** Words of a command that a person is told to type. */
public final class ShellWord {

    private ShellWord() {}

    /** As a shell takes it. */
    public static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
