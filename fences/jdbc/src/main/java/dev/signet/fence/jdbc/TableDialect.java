package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.fence.FenceView;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the row lies in {@link FenceTable}, and a transaction is JDBC's own: begun by the first statement after the last commit. */
abstract class TableDialect extends RowDialect {

    private final Pattern commits;

    /** @param commits statements that end the transaction that they run in; the first group is the word by which they do */
    TableDialect(Pattern commits) {
        this.commits = commits;
    }

    /** @throws SQLException if the tables are there but not such as this version can use */
    abstract boolean isInitialised(Connection connection) throws SQLException;

    abstract boolean isMissingTable(SQLException failure);

    /** Whether this still is the transaction that was marked, with all that it wrote. */
    abstract boolean isMarked(Connection connection) throws SQLException;

    @Override
    public final Optional<FenceView> look(Connection connection, ResourceName resource) throws SQLException {
        return isInitialised(connection) ? super.look(connection, resource) : Optional.empty();
    }

    @Override
    final Optional<FenceRow> row(Connection connection, ResourceName resource) throws SQLException {
        return row(connection, FenceTable.SELECT, resource);
    }

    /** @param select {@link FenceTable#SELECT}, with what a lock needs around it */
    final Optional<FenceRow> row(Connection connection, String select, ResourceName resource) throws SQLException {
        try {
            return FenceTable.row(connection, select, resource);
        } catch (SQLException e) {
            if (isMissingTable(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** What a raise came to, or one that was made again and so changed nothing. */
    final Raised raisedOrStands(int rows, Optional<FenceRow> now, Stamp stamp) {
        return raised(stands(now, stamp) ? 1 : rows, now, stamp);
    }

    /** Whether the resource is sealed for this very term, by whichever of its seals. */
    boolean stands(Optional<FenceRow> now, Stamp stamp) {
        return now.isPresent() && now.get().refuses(stamp).isEmpty();
    }

    @Override
    public void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("the connection is in autocommit mode, where the check ends before the"
                    + " write begins; call setAutoCommit(false) first");
        }
    }

    @Override
    public final Optional<String> endsTransaction(String sql) {
        Matcher ends = commits.matcher(sql);
        return ends.matches() ? Optional.of(ends.group(1).strip()) : Optional.empty();
    }

    @Override
    public final void commit(Connection connection, Stamp stamp, Deadline deadline) throws SQLException {
        if (!isMarked(connection)) {
            throw new EndedEarlyException();
        }
        try {
            connection.commit();
        } catch (SQLException e) {
            throw isTransient(e) ? e : new UnclearCommitException(e);
        }
    }
}
