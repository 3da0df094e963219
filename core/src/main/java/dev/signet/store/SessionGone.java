package dev.signet.store;

/** The store knows no such session: it never was, has expired, or was closed. Final: a session never comes back. */
public record SessionGone() {

    public static final SessionGone INSTANCE = new SessionGone();
}
