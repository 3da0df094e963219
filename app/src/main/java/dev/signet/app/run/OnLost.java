package dev.signet.app.run;

/** What to do when leadership was lost and the command is gone. */
public enum OnLost {
    /** End with exit code 75: whoever supervises signet decides. */
    STOP,
    /** Campaign again; the command is started anew in the next term. */
    RESTART
}
