package dev.signet.store.quorum.state;

import dev.signet.Advertised;
import dev.signet.store.SessionId;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * How long and how many. Each is a rule of the replicated state: voters that differ in one of them come to differ in all, so a
 * change here is a new version of the format.
 */
public final class Limits {

    public static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);
    public static final Duration LONGEST_LEASE = Duration.ofDays(1);

    /** A reservation for longer is one for this long. */
    public static final Duration LONGEST_WINDOW = Duration.ofDays(1);

    /** Sessions of a namespace that have ended and are remembered; the one that ended first is forgotten first. */
    public static final int MOST_ENDED = 100_000;

    /** Commands in one {@link Command.Batch}. */
    public static final int MOST_IN_A_BATCH = 1_000;

    private static final int LONGEST_SESSION_ID = 200;
    private static final int LONGEST_ADDRESS = 2_000;

    private Limits() {}

    static void require(SessionId session) {
        require("the session id", session.value(), LONGEST_SESSION_ID);
    }

    static void require(Advertised advertised) {
        advertised.publicUri().map(URI::toString).ifPresent(uri -> require("the public URI", uri, LONGEST_ADDRESS));
        advertised.internalUri().map(URI::toString).ifPresent(uri -> require("the internal URI", uri, LONGEST_ADDRESS));
    }

    /** Refuses characters that this Java does not know. */
    static void requireKnown(String text) {
        text.codePoints()
                .filter(point -> Character.getType(point) == Character.UNASSIGNED)
                .findFirst()
                .ifPresent(point -> {
                    throw new IllegalArgumentException(String.format(
                            "a name or address holds U+%04X, which is no character that this Java knows", point));
                });
    }

    /** The message does not repeat the text, which may be a secret. */
    private static void require(String what, String text, int mostBytes) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > mostBytes) {
            throw new IllegalArgumentException(
                    what + " has " + bytes + " bytes of UTF-8; the quorum takes 1 to " + mostBytes);
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException(what + " is not well-formed Unicode");
        }
    }
}
