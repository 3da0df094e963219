package dev.signet.fence.jdbc;

/** The whole contract once more, and what comes with it, where a fenced transaction is admitted at its commit. */
class PostgresAtCommitContractTest extends PostgresFenceContractTest {

    @Override
    Dialect dialect() {
        return new PostgresAtCommit(PostgresSite.LONGEST_IDLE);
    }
}
