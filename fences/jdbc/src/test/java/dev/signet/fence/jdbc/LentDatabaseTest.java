package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.servers.PostgresServer;
import dev.signet.servers.Servers;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Who borrows a session or a database finds what the first who had it found, and nothing of who had it since. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class LentDatabaseTest {

    private static final String STATE =
            "SELECT string_agg(name || ' = ' || setting, ', ' ORDER BY name) FROM pg_settings"
                    + " WHERE name <> 'transaction_isolation'";

    private final PostgresServer server = Servers.postgres();

    private static String text(LentDatabase lent, String query) throws SQLException {
        try (Connection connection = lent.getConnection()) {
            return Postgres.text(connection, query);
        }
    }

    @Test
    void whatASessionHasLeftOpenIsRolledBack() throws Exception {
        try (LentDatabase lent = new LentDatabase(server)) {
            try (Connection connection = lent.getConnection()) {
                Postgres.execute(connection, "CREATE TABLE kept (i int)");
                connection.setAutoCommit(false);
                Postgres.execute(connection, "INSERT INTO kept VALUES (1)");
            }
            try (Connection connection = lent.getConnection()) {
                assertThat(connection.getAutoCommit()).isTrue();
                Postgres.execute(connection, "BEGIN");
                Postgres.execute(connection, "INSERT INTO kept VALUES (2)");
            }
            assertThat(text(lent, "SELECT count(*) FROM kept")).isEqualTo("0");
        }
    }

    @Test
    void aSessionThatIsLentAgainIsAsNew() throws Exception {
        try (LentDatabase lent = new LentDatabase(server)) {
            String session;
            String asNew;
            try (Connection connection = lent.getConnection()) {
                session = Postgres.text(connection, "SELECT pg_backend_pid()");
                asNew = Postgres.text(connection, STATE);
                connection.setReadOnly(true);
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                Postgres.execute(connection, "SET search_path = nowhere");
                Postgres.execute(connection, "SELECT pg_advisory_lock(1)");
                Postgres.execute(connection, "CREATE TEMPORARY TABLE mine (i int)");
            }
            try (Connection connection = lent.getConnection()) {
                assertThat(Postgres.text(connection, "SELECT pg_backend_pid()")).isEqualTo(session);
                assertThat(Postgres.text(connection, STATE)).isEqualTo(asNew);
                assertThat(connection.isReadOnly()).isFalse();
                assertThat(Postgres.text(
                                connection,
                                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
                                        + " AND pid = pg_backend_pid()"))
                        .isEqualTo("0");
                assertThat(Postgres.text(connection, "SELECT to_regclass('mine')"))
                        .isEmpty();
            }
        }
    }

    @Test
    void whoeverStillUsesADatabaseThatWasGivenBackIsEnded() throws Exception {
        LentDatabase lent = new LentDatabase(server);
        Connection open = lent.getConnection();
        Connection begun = lent.getConnection();
        begun.setAutoCommit(false);
        Postgres.execute(begun, "CREATE TABLE left_behind (i int)");
        lent.close();
        assertThatThrownBy(() -> Postgres.execute(open, "SELECT 1")).isInstanceOf(SQLException.class);
        assertThatThrownBy(begun::commit).isInstanceOf(SQLException.class);
        open.close();
        begun.close();
        assertThatThrownBy(lent::getConnection).hasMessageContaining("was given back");
        lent.close();
    }

    @Test
    void aDatabaseThatIsLentAgainIsEmpty() throws Exception {
        try (PostgresServer own = PostgresServer.start(PostgresSite.OPTIONS)) {
            LentDatabase first = new LentDatabase(own);
            try (Connection connection = first.getConnection()) {
                Postgres.execute(connection, "CREATE TABLE left_behind (i int)");
                Postgres.execute(connection, "CREATE SCHEMA beside");
                connection.setAutoCommit(false);
                Postgres.execute(connection, "INSERT INTO left_behind VALUES (1)");
                Postgres.execute(connection, "PREPARE TRANSACTION 'left behind'");
            }
            first.close();
            try (LentDatabase second = new LentDatabase(own)) {
                assertThat(second.name()).isEqualTo(first.name());
                assertThat(text(second, "SELECT to_regclass('left_behind')")).isEmpty();
                assertThat(text(second, "SELECT to_regnamespace('beside')")).isEmpty();
                assertThat(text(second, "SELECT count(*) FROM pg_prepared_xacts"))
                        .isEqualTo("0");
                try (LentDatabase beside = new LentDatabase(own)) {
                    assertThat(beside.name()).isNotEqualTo(second.name());
                }
            }
        }
    }

    @Test
    void aServerThatWasStoppedMeanwhileIsReachedAgain() throws Exception {
        try (PostgresServer own = PostgresServer.start(PostgresSite.OPTIONS);
                LentDatabase lent = new LentDatabase(own)) {
            assertThat(text(lent, "SELECT 1")).isEqualTo("1");
            own.kill();
            own.restart();
            assertThat(text(lent, "SELECT 1")).isEqualTo("1");
        }
    }
}
