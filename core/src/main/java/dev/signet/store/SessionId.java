package dev.signet.store;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The secret name of a session: whoever knows it can renew it. Chosen by the candidate, unguessable, never used twice,
 * never shown or logged. Immutable.
 */
public record SessionId(String value) {

    private static final SecureRandom RANDOM = new SecureRandom();

    public static SessionId random() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return new SessionId(HexFormat.of().formatHex(bytes));
    }

    @Override
    public String toString() {
        return "session:(secret)";
    }
}
