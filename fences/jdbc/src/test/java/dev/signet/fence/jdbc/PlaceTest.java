package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

class PlaceTest {

    private final AtomicInteger asked = new AtomicInteger();

    /** As often as it is asked. */
    private Place failing(SQLException failure) {
        DataSource source = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    asked.incrementAndGet();
                    throw failure;
                });
        return new Place(source, JdbcFenceOptions.DEFAULTS, null);
    }

    private void connect(SQLException failure) {
        assertThatThrownBy(() -> failing(failure).connect(Deadline.in(Duration.ofMillis(50))))
                .isSameAs(failure);
    }

    @Test
    void busySqliteIsAskedAgain() {
        connect(new SQLiteException("busy", SQLiteErrorCode.SQLITE_BUSY));
        assertThat(asked).hasValueGreaterThan(1);
    }

    /** MariaDB's 1029 has the low byte of SQLite's code for busy. */
    @Test
    void whatAnotherDriverFailsWithIsNotTakenForABusySqlite() {
        connect(new SQLException("no view", "HY000", 1029));
        assertThat(asked).hasValue(1);
    }
}
