package dev.signet.app.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the texts of options are read. Each refuses by an {@link IllegalArgumentException} that says what to write instead. */
public final class Readers {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,12})(ms|s|m|h)");

    private Readers() {}

    /** {@code 15s}, {@code 500ms}, {@code 2m}, {@code 1h}; a plain number would leave the unit to guess. */
    public static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no duration; write 15s, 500ms, 2m or 1h");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    public static long wholeNumber(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is no whole number", e);
        }
    }

    /** A whole number from 1. */
    public static int count(String text) {
        long number = wholeNumber(text);
        if (number < 1 || number > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("'" + text + "' is outside 1 to " + Integer.MAX_VALUE);
        }
        return (int) number;
    }

    /** An absolute URI. */
    public static URI uri(String text) {
        try {
            URI uri = new URI(text);
            if (!uri.isAbsolute()) {
                throw new IllegalArgumentException("'" + Redaction.of(text) + "' has no scheme, such as https:");
            }
            return uri;
        } catch (URISyntaxException e) {
            // not as the cause: its message repeats the text, with any password in it
            throw new IllegalArgumentException("'" + Redaction.of(text) + "' is no URI");
        }
    }

    static boolean flag(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "1", "yes", "on" -> true;
            case "false", "0", "no", "off" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is neither true nor false");
        };
    }
}
