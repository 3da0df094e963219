package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.testkit.FaultyDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** The faults of the test kit's data source, on a real database: each leaves behind what it says. */
class FaultyDataSourceTest {

    @TempDir
    Path folder;

    private FaultyDataSource faulty;

    @BeforeEach
    void open() throws SQLException {
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl("jdbc:sqlite:" + folder.resolve("test.db"));
        faulty = new FaultyDataSource(file);
        try (Connection connection = faulty.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE noted (what TEXT)");
        }
    }

    private void note() throws SQLException {
        try (Connection connection = faulty.getConnection()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("INSERT INTO noted VALUES ('one')");
                statement.executeUpdate("INSERT INTO noted VALUES ('two')");
            }
            connection.commit();
        }
    }

    private int noted() throws SQLException {
        try (Connection connection = faulty.getConnection();
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("SELECT count(*) FROM noted")) {
            return count.getInt(1);
        }
    }

    private void breaksNote(FaultyDataSource.Planned fault) {
        assertThatThrownBy(this::note)
                .isInstanceOf(SQLNonTransientConnectionException.class)
                .extracting(broken -> ((SQLException) broken).getSQLState())
                .isEqualTo("08006");
        assertThat(fault.hasStruck()).isTrue();
    }

    @Test
    void withoutAFaultItIsADataSource() throws SQLException {
        note();

        assertThat(noted()).isEqualTo(2);
    }

    @Test
    void aCommitWhoseAnswerIsLostTookPlace() throws SQLException {
        breaksNote(faulty.loseAnswerOfNextCommit());

        assertThat(noted()).isEqualTo(2);
    }

    @Test
    void aCommitThatIsLostDidNot() throws SQLException {
        breaksNote(faulty.loseNextCommit());

        assertThat(noted()).isZero();
    }

    @Test
    void aConnectionThatBreaksAtAStatementRollsBack() throws SQLException {
        breaksNote(faulty.breakBeforeStatement(2));
        breaksNote(faulty.breakAfterStatement(2));

        assertThat(noted()).isZero();
    }

    @Test
    void aCommitThatIsAStatementIsACommit() throws SQLException {
        FaultyDataSource.Planned fault = faulty.loseAnswerOfNextCommit();
        try (Connection connection = faulty.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("INSERT INTO noted VALUES ('one')");
            assertThatThrownBy(() -> statement.execute("COMMIT"))
                    .isInstanceOf(SQLNonTransientConnectionException.class);
            assertThat(connection.isValid(1)).isFalse();
            assertThatThrownBy(connection::createStatement).isInstanceOf(SQLNonTransientConnectionException.class);
        }

        assertThat(fault.hasStruck()).isTrue();
        assertThat(noted()).isEqualTo(1);
    }

    @Test
    void aDelayedStatementIsExecutedLater() throws SQLException {
        FaultyDataSource.Planned fault = faulty.delayStatement(2, Duration.ofMillis(30));
        long began = System.nanoTime();

        note();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(30));
        assertThat(fault.hasStruck()).isTrue();
        assertThat(noted()).isEqualTo(2);
    }
}
