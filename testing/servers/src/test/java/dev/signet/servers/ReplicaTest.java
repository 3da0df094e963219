package dev.signet.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.servers.PostgresOptions.Authentication;
import dev.signet.servers.PostgresServer.Replication;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class ReplicaTest {

    private PostgresServer primary;

    @BeforeEach
    void start() {
        primary = PostgresServer.start(PostgresOptions.defaults().withAuthentication(Authentication.SCRAM));
        primary.createDatabase("app");
        execute(primary, "CREATE TABLE kept (n INT)");
    }

    @AfterEach
    void close() {
        primary.close();
    }

    private static void execute(PostgresServer server, String sql) {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl("app"))) {
            connection.createStatement().execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int kept(PostgresServer server) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl("app"))) {
            return ServerContract.select(connection, "SELECT COUNT(*) FROM kept");
        }
    }

    @Test
    void aCommitWaitsForASynchronousReplicaWhichTakesOverWithoutLoss() throws Exception {
        long begun = System.nanoTime();
        try (PostgresServer replica = primary.replica(Replication.SYNCHRONOUS)) {
            System.out.printf("figure: a replica after %d ms%n", (System.nanoTime() - begun) / 1_000_000);
            assertThatThrownBy(() -> execute(replica, "INSERT INTO kept VALUES (0)"))
                    .hasMessageContaining("read-only");

            replica.freeze();
            CompletableFuture<Void> commit =
                    CompletableFuture.runAsync(() -> execute(primary, "INSERT INTO kept VALUES (1)"));
            assertThatThrownBy(() -> commit.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            replica.thaw();
            commit.get(20, TimeUnit.SECONDS);

            primary.kill();
            replica.promote();
            execute(replica, "INSERT INTO kept VALUES (2)");
            assertThat(kept(replica)).isEqualTo(2);
            assertThatThrownBy(replica::promote).isInstanceOf(ServerException.class);
        }
    }

    @Test
    void aCommitDoesNotWaitForAnAsynchronousReplicaAndIsLostWithThePrimaryWhichComesBackWritable() throws SQLException {
        try (Proxy network = Proxy.to(primary);
                PostgresServer replica = primary.replica(Replication.ASYNCHRONOUS, network)) {
            network.blackHole();
            execute(primary, "INSERT INTO kept VALUES (1)");
            primary.kill();
            replica.promote();
            assertThat(kept(replica)).isZero();

            primary.restart();
            execute(primary, "INSERT INTO kept VALUES (2)");
            execute(replica, "INSERT INTO kept VALUES (2)");
            assertThat(kept(primary)).isEqualTo(2);
            assertThat(kept(replica)).isEqualTo(1);
        }
    }
}
