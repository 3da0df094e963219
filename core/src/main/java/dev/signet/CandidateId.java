package dev.signet;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The public id of one process incarnation that may lead. A restart is another candidate: the suffix is new each time,
 * the name stays. Immutable.
 *
 * @param name the stable name, which metrics are tagged with; same rule as {@link Role}, at most 180 bytes
 * @param incarnation what tells one start of the process from the next
 */
public record CandidateId(String name, String incarnation) {

    private static final SecureRandom RANDOM = new SecureRandom();

    /** @throws IllegalArgumentException if name or incarnation breaks the rule for names */
    public CandidateId {
        Names.require("candidate", name + "~" + incarnation);
        Names.require("candidate", name);
        if (incarnation.isEmpty() || incarnation.indexOf('~') >= 0) {
            throw new IllegalArgumentException("incarnation '" + incarnation + "' is empty or holds '~'");
        }
    }

    /** A new incarnation of {@code name}, with a random suffix of 48 bits. */
    public static CandidateId incarnationOf(String name) {
        byte[] suffix = new byte[6];
        RANDOM.nextBytes(suffix);
        return new CandidateId(name, HexFormat.of().formatHex(suffix));
    }

    /** @throws IllegalArgumentException if the text is not what {@link #toString()} gives */
    public static CandidateId parse(String text) {
        int tilde = text.lastIndexOf('~');
        if (tilde < 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no candidate id: it has no '~' before its incarnation");
        }
        return new CandidateId(text.substring(0, tilde), text.substring(tilde + 1));
    }

    @Override
    public String toString() {
        return name + "~" + incarnation;
    }
}
