package dev.signet.app.cli;

/** That a command exists: enough for the list of commands, without loading the command's class. */
public interface Verb {

    /** The one or two words that name it, such as {@code fence init}. */
    String words();

    /** One sentence for the list of commands. */
    String summary();

    /** Makes the command, which declares its options. */
    Command declare(Options options);
}
