package dev.signet.fence.jdbc;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class PostgresFenceContractTest extends PostgresFenceContract {

    @Override
    Dialect dialect() {
        return new PostgresDialect(PostgresSite.LONGEST_IDLE);
    }
}
