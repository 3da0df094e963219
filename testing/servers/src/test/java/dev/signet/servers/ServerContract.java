package dev.signet.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What every database server here does, on one server per class. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerContract<S extends DatabaseServer> {

    S server;
    private String url;

    abstract S start();

    @BeforeAll
    void startAndFill() throws SQLException {
        long begun = System.nanoTime();
        server = start();
        System.out.printf("figure: %s after %d ms%n", server, (System.nanoTime() - begun) / 1_000_000);
        url = server.createDatabase("contract");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE kept (n INT PRIMARY KEY)");
            statement.execute("INSERT INTO kept VALUES (1)");
        }
    }

    @AfterAll
    void close() {
        server.close();
        server.close();

        assertThat(server.isRunning()).isFalse();
        assertThat(server.folder).doesNotExist();
    }

    static int select(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** How many rows there are, by a connection of its own. */
    int kept() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            return select(connection, "SELECT COUNT(*) FROM kept");
        }
    }

    @Test
    void aBackupPutsADatabaseBack() throws SQLException {
        String mine = server.createDatabase("backed-up");
        try (Connection connection = DriverManager.getConnection(mine);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE kept (n INT PRIMARY KEY)");
            statement.execute("INSERT INTO kept VALUES (1)");
            Runnable restore = server.backUp("backed-up");
            statement.execute("INSERT INTO kept VALUES (2)");

            restore.run();

            assertThat(select(connection, "SELECT COUNT(*) FROM kept")).isOne();
        }
    }

    private static CompletableFuture<Integer> asked(Connection connection) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return select(connection, "SELECT COUNT(*) FROM kept");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void frozenItAnswersNobodyAndThawedItAnswersTheSameQuestion() throws Exception {
        try (Connection before = DriverManager.getConnection(url)) {
            select(before, "SELECT 1");
            server.freeze();
            CompletableFuture<Integer> known = asked(before);
            CompletableFuture<Integer> unknown = CompletableFuture.supplyAsync(() -> {
                try {
                    return kept();
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });

            assertThatThrownBy(() -> known.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(unknown).isNotDone();
            assertThat(server.isRunning()).isTrue();

            server.thaw();
            assertThat(known.get(20, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(unknown.get(20, TimeUnit.SECONDS)).isEqualTo(1);
        }
    }

    @Test
    void killedItIsGoneAndRestartedItHasWhatWasCommittedAndNothingElse() throws SQLException {
        int port = server.port();
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            connection.createStatement().execute("INSERT INTO kept VALUES (2)");
            server.kill();
            server.kill();

            assertThat(server.isRunning()).isFalse();
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            assertThatThrownBy(this::kept).isInstanceOf(SQLException.class);
        }

        server.restart();
        assertThat(server.port()).isEqualTo(port);
        assertThat(kept()).isEqualTo(1);
    }

    @Test
    void killedWhileItIsFrozenItIsGoneToo() throws SQLException {
        server.freeze();
        server.kill();

        assertThat(server.isRunning()).isFalse();
        assertThatThrownBy(server::freeze)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("does not run");
        server.restart();
        assertThat(kept()).isEqualTo(1);
    }

    @Test
    void stoppedWhileItIsFrozenItStillEndsInGoodOrder() throws SQLException {
        server.freeze();
        server.stop();

        assertThat(server.isRunning()).isFalse();
        assertThat(server.log()).containsIgnoringCase(lastWords());
        server.restart();
        assertThat(kept()).isEqualTo(1);
    }

    /** In the log of a server that ended in good order. */
    abstract String lastWords();

    @Test
    void aDatabaseHasAPlainNameOfItsOwn() {
        assertThatThrownBy(() -> server.createDatabase("con/tract"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("con/tract");
        assertThatThrownBy(() -> server.createDatabase("contract"))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("CREATE DATABASE");
    }

    @Test
    void itsFolderIsNobodyElsesBusiness() throws Exception {
        assertThat(Files.getPosixFilePermissions(server.folder))
                .noneMatch(permission -> permission.name().startsWith("OTHERS"));
    }
}
