package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.fence.Refusal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A call of a function on PostgreSQL that admits a stamp, or raises what it is refused for. */
final class PostgresCheck {

    /** Of the functions' own types: what the driver sends is varchar, and another function of that type would come first. */
    private static final String ARGUMENTS = "(?::text, ?::bigint, ?::text, ?::text, ?::text, ?::integer)";

    static final String ADMIT = "SELECT signet_admit" + ARGUMENTS;
    static final String CHECK = "SELECT signet_check" + ARGUMENTS;

    private static final Pattern TOKEN = Pattern.compile("with token (\\d+)");
    private static final String NOT_IN_SAVEPOINT = "25001";

    private PostgresCheck() {}

    /**
     * @param sql one of the above, and whatever the database is to do if it passes
     * @throws SQLException if it neither passed nor was refused
     */
    static Dialect.Verdict ask(
            Connection connection, String sql, ResourceName resource, Stamp stamp, Duration longestIdle)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, resource.name());
            select.setLong(2, stamp.token().value());
            select.setString(3, stamp.termId().secret());
            select.setString(4, stamp.role().name());
            select.setString(5, stamp.storeId().value());
            select.setInt(6, (int) Math.min(Integer.MAX_VALUE, longestIdle.toMillis()));
            select.execute();
            return Dialect.Verdict.passed(stamp);
        } catch (SQLException e) {
            return verdict(e, sql, resource);
        }
    }

    private static Dialect.Verdict verdict(SQLException failure, String sql, ResourceName resource)
            throws SQLException {
        if (Postgres.isNoFunction(failure)) {
            return new Dialect.Verdict(Optional.of(Refusal.NOT_INITIALISED), 0);
        }
        if (sql.equals(CHECK) && NOT_IN_SAVEPOINT.equals(failure.getSQLState())) {
            throw new IllegalStateException(
                    "the check is inside a savepoint (a nested transaction), whose rollback would end it before the write"
                            + " is committed; check before the savepoint is set",
                    failure);
        }
        String message = Objects.requireNonNullElse(failure.getMessage(), "");
        // with a commit, it may be what the triggers of another resource say
        Optional<Refusal> refusal = FencedTransaction.refusedByDatabase(failure)
                .filter(kind -> message.contains("resource " + resource.name() + " "));
        if (refusal.isEmpty()) {
            throw Postgres.explained(failure);
        }
        Matcher token = TOKEN.matcher(message);
        return new Dialect.Verdict(refusal, token.find() ? Long.parseLong(token.group(1)) : 0);
    }
}
