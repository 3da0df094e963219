package dev.signet;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The random 128-bit name of one term. It goes to the grantee and to the fence; everybody else sees its {@link #digest},
 * so that a token read off a status page is not enough to write. {@link #toString()} shows the digest too. Immutable.
 */
public record TermId(long high, long low) {

    private static final SecureRandom RANDOM = new SecureRandom();

    public static TermId random() {
        return new TermId(RANDOM.nextLong(), RANDOM.nextLong());
    }

    /**
     * @param text 32 hexadecimal digits, as {@link #secret()} gives them
     * @throws IllegalArgumentException if it is something else; the message does not repeat the text
     */
    public static TermId parse(String text) {
        if (text.length() != 32 || !text.chars().allMatch(HexFormat::isHexDigit)) {
            throw new IllegalArgumentException("a term id has 32 hexadecimal digits");
        }
        return new TermId(HexFormat.fromHexDigitsToLong(text, 0, 16), HexFormat.fromHexDigitsToLong(text, 16, 32));
    }

    /** All 32 hexadecimal digits: for the fence and for the code that writes, never for a log or a page. */
    public String secret() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }

    /** The first 12 hexadecimal digits of the SHA-256 of {@link #secret()}: tells terms apart, opens nothing. */
    public String digest() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(secret().getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().toHexDigits(ByteBuffer.wrap(hash).getLong() >>> 16, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "term:" + digest();
    }
}
