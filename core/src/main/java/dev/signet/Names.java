package dev.signet;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Optional;

/** The one rule for names that stores and fences must keep apart byte by byte. */
final class Names {

    private static final int MAX_BYTES = 200;

    private Names() {}

    static void require(String kind, String name) {
        fault(name).ifPresent(fault -> {
            throw new IllegalArgumentException(kind + " " + quoted(name) + " " + fault
                    + "; a name has 1 to 200 bytes of UTF-8 in form NFC, without control characters");
        });
    }

    private static Optional<String> fault(String name) {
        if (name.isEmpty()) {
            return Optional.of("is empty");
        }
        if (name.chars().anyMatch(Character::isISOControl)) {
            return Optional.of("holds a control character");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            return Optional.of("is not well-formed Unicode");
        }
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            return Optional.of("has " + bytes + " bytes");
        }
        return Normalizer.isNormalized(name, Normalizer.Form.NFC)
                ? Optional.empty()
                : Optional.of("is not in normalization form C");
    }

    private static String quoted(String name) {
        StringBuilder shown = new StringBuilder("'");
        name.codePoints().limit(MAX_BYTES).forEach(point -> {
            if (Character.isISOControl(point)) {
                shown.append(String.format("\\u%04x", point));
            } else {
                shown.appendCodePoint(point);
            }
        });
        return shown.append('\'').toString();
    }
}
