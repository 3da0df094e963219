package dev.signet.fence.jdbc;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a text of SQL says outside of quotes and comments. Where a quote ends may depend on the server's settings, if there is a
 * backslash in it; what a JDBC escape says is the driver's to know. Then all that might be said is taken for said.
 */
final class PostgresText {

    private static final Pattern ENDS_TRANSACTION = Pattern.compile(
            "(?:^|;)\\s*(begin|start|commit|end|rollback|abort|prepare\\s+transaction)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern MIGHT_END_IT =
            Pattern.compile("\\b(begin|start|commit|end|rollback|abort|prepare)\\b", Pattern.CASE_INSENSITIVE);

    private static final String IN_NAME = "A-Za-z0-9_\\x80-\\x{10FFFF}";
    private static final Pattern DOLLARS = Pattern.compile("\\$(?:[A-Za-z_\\x80-\\x{10FFFF}][" + IN_NAME + "]*)?\\$");
    private static final Pattern END_OF_NAME = Pattern.compile("[$" + IN_NAME + "]");

    /** No place in a text. */
    private static final int UNCLEAR = -1;

    private final String sql;

    private PostgresText(String sql) {
        this.sql = sql;
    }

    /** By which words one of its statements would end the transaction that it runs in; empty if by none. */
    static Optional<String> endsTransaction(String sql) {
        Matcher found =
                new PostgresText(sql).plain().map(ENDS_TRANSACTION::matcher).orElseGet(() -> MIGHT_END_IT.matcher(sql));
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    /** With a blank for each quote and comment; empty where one cannot tell. */
    private Optional<String> plain() {
        StringBuilder plain = new StringBuilder();
        for (int at = 0; at < sql.length(); ) {
            int end = behind(at);
            if (end == UNCLEAR) {
                return Optional.empty();
            }
            plain.append(end > at ? ' ' : sql.charAt(at));
            at = Math.max(end, at + 1);
        }
        return Optional.of(plain.toString());
    }

    /** Where the quote or comment has ended that begins there; there, if none does. */
    private int behind(int at) {
        return switch (sql.charAt(at)) {
            case '\'' -> {
                int end = behind("'", at + 1);
                int backslash = sql.indexOf('\\', at);
                yield backslash >= 0 && backslash < end ? UNCLEAR : end;
            }
            case '"' -> behind("\"", at + 1);
            case '-' -> sql.startsWith("--", at) ? behindLine(at) : at;
            case '/' -> sql.startsWith("/*", at) ? behindComment(at) : at;
            case '$' -> behindDollars(at);
            case '{' -> UNCLEAR; // the driver puts something else there
            default -> at;
        };
    }

    /** A doubled one ends a quote and begins the next. */
    private int behind(String quote, int from) {
        int end = sql.indexOf(quote, from);
        return end < 0 ? UNCLEAR : end + quote.length();
    }

    private int behindLine(int from) {
        int end = from;
        while (end < sql.length() && sql.charAt(end) != '\n' && sql.charAt(end) != '\r') {
            end++;
        }
        return end;
    }

    /** They nest. */
    private int behindComment(int from) {
        int depth = 0;
        for (int at = from; at < sql.length() - 1; at++) {
            if (sql.startsWith("/*", at)) {
                depth++;
                at++;
            } else if (sql.startsWith("*/", at)) {
                depth--;
                at++;
                if (depth == 0) {
                    return at + 1;
                }
            }
        }
        return UNCLEAR;
    }

    private int behindDollars(int at) {
        Matcher dollars = DOLLARS.matcher(sql).region(at, sql.length());
        if (!dollars.lookingAt()) {
            return at;
        }
        boolean inName =
                at > 0 && END_OF_NAME.matcher(sql.substring(at - 1, at)).matches();
        return inName ? UNCLEAR : behind(dollars.group(), dollars.end());
    }
}
