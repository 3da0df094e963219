package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.testkit.IsolationLevel;
import java.sql.Connection;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OpenPoolTest {

    private final JdbcDataSource source = new JdbcDataSource();

    @BeforeEach
    void name() {
        source.setURL("jdbc:h2:mem:open-pool-" + System.identityHashCode(this));
    }

    @Test
    void whatWasLeftOpenIsRolledBackAndTheNextBorrowerIsOfTheSameLevel() throws Exception {
        try (OpenPool pool = new OpenPool(source, IsolationLevel.SERIALIZABLE, 1)) {
            try (Connection connection = pool.getConnection()) {
                JdbcStories.execute(connection, "CREATE TABLE kept (i INT)");
                connection.setAutoCommit(false);
                JdbcStories.execute(connection, "INSERT INTO kept VALUES (1)");
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isTrue();
                assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
                assertThat(Sql.text(connection, "SELECT count(*) FROM kept")).contains("0");
            }
        }
    }

    @Test
    void aConnectionThatWasEndedIsReplaced() throws Exception {
        try (OpenPool pool = new OpenPool(source, IsolationLevel.READ_COMMITTED, 1)) {
            Connection ended = pool.getConnection();
            ended.unwrap(org.h2.jdbc.JdbcConnection.class).close();
            ended.close();
            ended.close();
            try (Connection another = pool.getConnection()) {
                assertThat(another.isValid(0)).isTrue();
            }
        }
    }

    @Test
    void whatIsGivenBackAfterItsEndIsClosed() throws Exception {
        OpenPool pool = new OpenPool(source, IsolationLevel.READ_COMMITTED, 2);
        Connection late = pool.getConnection();
        Connection itself = late.unwrap(org.h2.jdbc.JdbcConnection.class);
        pool.close();
        assertThat(itself.isClosed()).isFalse();
        late.close();
        assertThat(itself.isClosed()).isTrue();
    }
}
