package dev.signet.fence.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteException;

/** Where a fence lies: connections to there, and the dialect that is spoken, which the first of them tells. Thread-safe. */
final class Place {

    private final DataSource source;
    private final JdbcFenceOptions options;
    private volatile @Nullable Dialect dialect;

    /** @param dialect null if it is to be found out */
    Place(DataSource source, JdbcFenceOptions options, @Nullable Dialect dialect) {
        this.source = source;
        this.options = options;
        this.dialect = dialect;
    }

    /** Waits where opening one fails because the database is busy, as SQLite's may be. */
    Borrowed connect(Deadline deadline) throws SQLException {
        Connection connection = deadline.get(source::getConnection, this::isBusy, Deadline.EAGER_NANOS);
        try {
            dialectOf(connection);
            return new Borrowed(connection);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Before the first connection only SQLite's own driver is believed: its codes mean something else to others. */
    private boolean isBusy(SQLException failure) {
        return ask(known -> known.isTransient(failure), failure instanceof SQLiteException && Sqlite.isBusy(failure));
    }

    /** Of a connection to this place, whoever opened it. */
    Dialect dialectOf(Connection connection) throws SQLException {
        Dialect known = dialect;
        if (known == null) {
            known = Dialects.of(connection, options);
            dialect = known;
        }
        return known;
    }

    /** What the dialect says, or what holds until there was a connection. */
    <T> T ask(Function<Dialect, T> question, T unknown) {
        Dialect known = dialect;
        return known == null ? unknown : question.apply(known);
    }
}
