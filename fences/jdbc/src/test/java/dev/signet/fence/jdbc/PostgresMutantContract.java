package dev.signet.fence.jdbc;

/** For a fence that is wrong on purpose. */
final class PostgresMutantContract extends PostgresFenceContract {

    private final Dialect dialect;

    PostgresMutantContract(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    Dialect dialect() {
        return dialect;
    }
}
