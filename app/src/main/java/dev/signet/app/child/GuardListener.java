package dev.signet.app.child;

/** Hears what becomes of a guard. Called on the guard's own thread; must not block. */
interface GuardListener {

    /** It kills the command because a deadline has passed. Nothing more will come of it. */
    void killing();

    /** It ended, or does not answer any more, while the command may still run. Called once, and not after {@code killing}. */
    void lost(String why);
}
