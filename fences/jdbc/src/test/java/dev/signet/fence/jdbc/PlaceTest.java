package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

class PlaceTest {

    private static final SQLException GONE = new SQLException("gone");

    /** Where a connection is asked for, and these are the answers. */
    private static Place failing(SQLException... failures) {
        Deque<SQLException> answers = new ArrayDeque<>(List.of(failures));
        DataSource source = (DataSource) Proxy.newProxyInstance(
                PlaceTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    throw answers.pop();
                });
        return new Place(source, JdbcFenceOptions.DEFAULTS, null);
    }

    @Test
    void busySqliteIsAskedAgain() {
        SQLException busy = new SQLiteException("busy", SQLiteErrorCode.SQLITE_BUSY);
        assertThatThrownBy(() -> failing(busy, busy, GONE).connect(Deadline.in(JdbcSite.LATER)))
                .isSameAs(GONE);
    }

    /** MariaDB's 1029 has the low byte of SQLite's code for busy. */
    @Test
    void whatAnotherDriverFailsWithIsNotTakenForABusySqlite() {
        SQLException noView = new SQLException("no view", "HY000", 1029);
        assertThatThrownBy(() -> failing(noView, GONE).connect(Deadline.in(JdbcSite.LATER)))
                .isSameAs(noView);
    }
}
