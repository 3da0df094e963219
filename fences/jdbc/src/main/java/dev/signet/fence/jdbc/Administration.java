package dev.signet.fence.jdbc;

import dev.signet.FenceException;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.fence.FenceView;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** What an operator asks of a fence, on a connection of its own. Blocks; thread-safe. */
final class Administration {

    private final Place place;
    private final ResourceName resource;
    private final Duration timeout;

    Administration(Place place, ResourceName resource, Duration timeout) {
        this.place = place;
        this.resource = resource;
        this.timeout = timeout;
    }

    void init(Role role, StoreId storeId) {
        FenceView row =
                ask((dialect, connection, deadline) -> dialect.init(connection, resource, role, storeId, deadline));
        if (!row.role().equals(role) || !row.storeId().equals(storeId)) {
            throw new FenceException(
                    resource,
                    "it belongs to role '" + row.role() + "' at store " + row.storeId() + ", not to role '" + role
                            + "' at store " + storeId + "; nothing was changed, since writes of the other would pass",
                    null);
        }
    }

    void reset(Role role, StoreId storeId, String reason) {
        ask((dialect, connection, deadline) -> {
            dialect.reset(connection, resource, role, storeId, reason, deadline);
            return reason;
        });
    }

    void protect(String table) {
        ask((dialect, connection, deadline) -> {
            dialect.enforcement().protect(connection, resource, table, deadline);
            return table;
        });
    }

    void unprotect(String table) {
        ask((dialect, connection, deadline) -> {
            dialect.enforcement().unprotect(connection, resource, table, deadline);
            return table;
        });
    }

    List<ProtectedTable> tables() {
        return ask((dialect, connection, deadline) -> dialect.enforcement().tables(connection));
    }

    private <T> T ask(Question<T> question) {
        Deadline deadline = Deadline.in(timeout);
        try (Borrowed borrowed = place.connect(deadline)) {
            Connection connection = borrowed.connection();
            Dialect dialect = place.dialectOf(connection);
            Deadline.Supply<T> accepted = () -> {
                dialect.accept(connection);
                return question.of(dialect, connection, deadline);
            };
            return deadline.get(accepted, dialect::isTransient, Deadline.PATIENT_NANOS);
        } catch (SQLException e) {
            throw new FenceException(resource, "" + e.getMessage(), e);
        }
    }

    private interface Question<T> {
        T of(Dialect dialect, Connection connection, Deadline deadline) throws SQLException;
    }
}
