package dev.signet.servers;

/** What both drivers read alike. */
final class JdbcUrl {

    private JdbcUrl() {}

    static String of(String scheme, String host, int port, String database, String user, String password) {
        return "jdbc:" + scheme + "://" + host + ":" + port + "/" + plain(database) + "?user=" + plain(user)
                + "&password=" + plain(password);
    }

    /**
     * One driver reads percent signs in a URL as an escape, the other does not; so there is no way to write everything.
     *
     * @throws IllegalArgumentException for a text that would need one
     */
    static String plain(String text) {
        if (!text.matches("[\\w.-]*")) {
            throw new IllegalArgumentException(
                    "'" + text + "' has something else than letters, digits, underscores, dots and dashes");
        }
        return text;
    }
}
