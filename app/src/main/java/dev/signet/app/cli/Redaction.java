package dev.signet.app.cli;

import java.util.regex.Pattern;

/** Takes passwords out of texts that are going to be shown. */
public final class Redaction {

    /** {@code //user:password@host}; greedy, since a password that nobody encoded may hold an {@code @}. */
    private static final Pattern USER_INFO = Pattern.compile("(//[^/:@\\s]*:)[^/\\s]*@");

    private static final Pattern PARAMETER = Pattern.compile(
            "(?i)([?&;,](?:[a-z_.-]*(?:password|passwd|passphrase|pwd|secret|token|apikey))=)[^&;,#\\s]*");

    private Redaction() {}

    public static String of(String text) {
        String withoutUser = USER_INFO.matcher(text).replaceAll("$1***@");
        return PARAMETER.matcher(withoutUser).replaceAll("$1***");
    }
}
