package dev.signet.fence.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which sessions of a MariaDB server wait for a lock of InnoDB. From its status: what its tables in {@code information_schema} show is
 * not brought up to date while anybody looks at them more often than every 0.1 s, and several tests do.
 */
final class MariaDbLocks {

    private static final Pattern SESSION = Pattern.compile("MariaDB thread id (\\d+)");

    private MariaDbLocks() {}

    /** @param root may see everything */
    static Set<String> waiting(Connection root) throws SQLException {
        Set<String> sessions = new HashSet<>();
        try (Statement statement = root.createStatement();
                ResultSet status = statement.executeQuery("SHOW ENGINE INNODB STATUS")) {
            status.next();
            for (String transaction : status.getString("Status").split("---TRANSACTION", -1)) {
                Matcher session = SESSION.matcher(transaction);
                if (transaction.contains("\nLOCK WAIT ") && session.find()) {
                    sessions.add(session.group(1));
                }
            }
        }
        return sessions;
    }
}
