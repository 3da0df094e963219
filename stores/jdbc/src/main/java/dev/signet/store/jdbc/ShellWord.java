package dev.signet.store.jdbc;

/** Words of a command that a person is told to type. */
final class ShellWord {

    private ShellWord() {}

    /** As a shell takes it. */
    static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
