package dev.signet.app.place;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a URI names a server. */
final class HostPort {

    private static final Pattern FORM =
            Pattern.compile("(?:\\[[0-9A-Fa-f:.%]+]|[^\\s:\\[\\]]+)(?::(?<port>\\d{1,5}))?");

    private HostPort() {}

    /** What is wrong with it, for people. */
    static Optional<String> fault(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.of("'" + text + "' is no HOST or HOST:PORT");
        }
        String port = parts.group("port");
        return port != null && (Integer.parseInt(port) < 1 || Integer.parseInt(port) > 65_535)
                ? Optional.of("port " + port + " is outside 1 to 65535")
                : Optional.empty();
    }
}
