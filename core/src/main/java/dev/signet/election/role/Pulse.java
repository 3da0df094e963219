package dev.signet.election.role;

/**
 * What a role knows of the session that it hangs on.
 *
 * @param epoch of the session; 0 before the first
 */
public record Pulse(long epoch, Beat beat) {

    static final Pulse NONE = new Pulse(0, Beat.GONE);

    boolean isLive() {
        return beat == Beat.LIVE;
    }

    boolean isGone() {
        return beat == Beat.GONE;
    }

    boolean isSuspended() {
        return beat == Beat.SUSPENDED;
    }

    /** How the session is. */
    public enum Beat {
        GONE,
        LIVE,
        SUSPENDED
    }
}
