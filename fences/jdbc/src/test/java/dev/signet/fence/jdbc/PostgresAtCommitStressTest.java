package dev.signet.fence.jdbc;

import dev.signet.servers.Servers;

/** The helper's writers are admitted at their commit, the others by a check. */
class PostgresAtCommitStressTest extends PostgresFenceStressTest {

    @Override
    protected JdbcSite site() {
        return PostgresSite.of(Servers.postgres(), new PostgresAtCommit(LONGEST_IDLE));
    }
}
