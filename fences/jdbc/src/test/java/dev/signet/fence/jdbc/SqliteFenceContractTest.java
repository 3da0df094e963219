package dev.signet.fence.jdbc;

class SqliteFenceContractTest extends SqliteFenceContract {

    SqliteFenceContractTest() {
        super(new SqliteDialect());
    }
}
