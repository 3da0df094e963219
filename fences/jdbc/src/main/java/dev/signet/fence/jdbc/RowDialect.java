package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Where the row is read under a lock, and judged here. */
abstract class RowDialect implements Dialect {

    /** The row as it then stands, in a transaction that from here on no seal can pass. */
    abstract Optional<FenceRow> lockedRow(Connection connection, ResourceName resource) throws SQLException;

    /** The row as the transaction sees it. */
    abstract Optional<FenceRow> row(Connection connection, ResourceName resource) throws SQLException;

    @Override
    public Verdict admit(Connection connection, ResourceName resource, Stamp stamp) throws SQLException {
        Optional<FenceRow> row = lockedRow(connection, resource);
        return new Verdict(judge(row, stamp), row.map(FenceRow::highest).orElse(0L));
    }

    Optional<Refusal> judge(Optional<FenceRow> row, Stamp stamp) {
        return row.isEmpty() ? Optional.of(Refusal.NOT_INITIALISED) : row.get().refuses(stamp);
    }

    @Override
    public Optional<FenceView> look(Connection connection, ResourceName resource) throws SQLException {
        return row(connection, resource).map(FenceRow::view);
    }

    /** What a conditional update came to that changed so many rows. */
    static Raised raised(int rows, Optional<FenceRow> now, Stamp stamp) {
        Optional<FenceView> view = now.map(FenceRow::view);
        if (rows > 0 && now.isPresent()) {
            return new Raised(Optional.empty(), view);
        }
        Refusal refusal = now.isEmpty()
                ? Refusal.NOT_INITIALISED
                // what a write would be told to seal first was too high to be sealed
                : now.get()
                        .refuses(stamp)
                        .filter(kind -> kind != Refusal.UNSEALED)
                        .orElse(Refusal.TOO_FAR_AHEAD);
        return new Raised(Optional.of(refusal), view);
    }
}
