package dev.signet.app.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes passwords out of texts that are going to be shown. */
public final class Redaction {

    private static final String SECRET = "[a-z0-9_.-]*(?:password|passwd|passphrase|pwd|secret|token|apikey)[0-9]?";

    /** {@code //user:password@host}; greedy, since a password that nobody encoded may hold an {@code @}. */
    private static final Pattern USER_INFO = Pattern.compile("(//[^/:@\\s]*:)[^/\\s]*@");

    private static final Pattern PARAMETER = Pattern.compile("(?i)([?&;,]" + SECRET + "=)[^&;,#\\s]*");

    /** Within a text; it ends at a space, and takes with it what stands right behind it. */
    private static final Pattern JDBC_URL = Pattern.compile("jdbc:[a-z]+:\\S*");

    /** The drivers split at {@code &} alone, so a password may hold whatever else splits elsewhere. */
    private static final Pattern JDBC_PARAMETER =
            Pattern.compile("(?is)([?&]" + SECRET + "=)[^&]*|(;" + SECRET + "=)[^;&]*");

    private static final Pattern JDBC_USER_INFO = Pattern.compile("(//[^/:@?\\s]*:)[^?\\s]*@");

    private static final Pattern IS_SECRET = Pattern.compile("(?i)" + SECRET);

    /** One word of a command line. */
    private static final Pattern OPTION = Pattern.compile("(?is)^(--" + SECRET + "=).*");

    private Redaction() {}

    public static String of(String text) {
        String inUrls = text.startsWith("jdbc:")
                ? jdbc(text)
                : JDBC_URL.matcher(text).replaceAll(url -> Matcher.quoteReplacement(jdbc(url.group())));
        String withoutUser = USER_INFO.matcher(inUrls).replaceAll("$1***@");
        String withoutOption = OPTION.matcher(withoutUser).replaceAll("$1***");
        return PARAMETER.matcher(withoutOption).replaceAll("$1***");
    }

    /** Whether the value of a parameter of this name is to be shown to nobody. */
    public static boolean isSecret(String name) {
        return IS_SECRET.matcher(name).matches();
    }

    private static String jdbc(String url) {
        String withoutParameters = JDBC_PARAMETER
                .matcher(url)
                .replaceAll(found ->
                        Matcher.quoteReplacement((found.group(1) == null ? found.group(2) : found.group(1)) + "***"));
        return JDBC_USER_INFO.matcher(withoutParameters).replaceAll("$1***@");
    }
}
