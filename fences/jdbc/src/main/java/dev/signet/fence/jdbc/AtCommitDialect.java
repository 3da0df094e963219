package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import java.sql.Connection;
import java.sql.SQLException;

/** Where a stamp is admitted together with the commit, and not before the work. */
interface AtCommitDialect extends Dialect {

    /**
     * Admits and commits, without a word from this process in between; what is refused is left to be rolled back.
     *
     * @throws UnclearCommitException if it may have been committed
     */
    Verdict admitAndCommit(Connection connection, ResourceName resource, Stamp stamp) throws SQLException;
}
