package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * The fence on PostgreSQL for whoever would rather be refused late. The question and the commit are sent as one: a process that
 * stops has asked nothing, or all is up to the server, and in neither case does a seal wait for it.
 *
 * <p>Until then the transaction carries nothing by which to tell it from another one that the work has begun after it had ended
 * this. So nothing that ends it is sent.
 */
class PostgresAtCommit extends PostgresDialect implements AtCommitDialect {

    /** What is committed at once does not stand still. */
    private static final Duration UNLIMITED = Duration.ZERO;

    PostgresAtCommit(Duration longestIdle) {
        super(longestIdle);
    }

    PostgresAtCommit(String script, Duration longestIdle) {
        super(script, longestIdle);
    }

    @Override
    public Verdict admitAndCommit(Connection connection, ResourceName resource, Stamp stamp) throws SQLException {
        try {
            return PostgresCheck.ask(connection, admittingCommit(), resource, stamp, UNLIMITED);
        } catch (SQLException e) {
            throw Postgres.ofCommit(e);
        }
    }

    /** If the first statement fails, the server skips the second. */
    String admittingCommit() {
        return PostgresCheck.ADMIT + "; COMMIT";
    }

    @Override
    public Optional<String> endsTransaction(String sql) {
        return PostgresText.endsTransaction(sql);
    }
}
