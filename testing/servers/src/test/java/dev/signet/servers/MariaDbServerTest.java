package dev.signet.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MariaDbServerTest extends ServerContract<MariaDbServer> {

    @Override
    MariaDbServer start() {
        return MariaDbServer.start(MariaDbOptions.defaults().withSetting("innodb-lock-wait-timeout", "7"));
    }

    @Override
    String lastWords() {
        return "shutdown complete";
    }

    @Test
    void itsSettingsAreThoseForTestsUnlessOthersAreAskedFor() throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl("mysql"))) {
            assertThat(select(connection, "SELECT @@innodb_lock_wait_timeout")).isEqualTo(7);
            assertThat(select(connection, "SELECT @@max_connections")).isEqualTo(200);
        }
    }

    @Test
    void onlyTheRightPasswordLetsAUserIn() throws SQLException {
        server.createUser("some-one", "Pass.word-1");

        DriverManager.getConnection(server.jdbcUrl("", "some-one", "Pass.word-1"))
                .close();
        assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl("", "some-one", "password")))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("Access denied");
    }

    @Test
    void serversDoNotShareTheirData() {
        server.createDatabase("only_here");
        long begun = System.nanoTime();
        try (MariaDbServer other = MariaDbServer.start(MariaDbOptions.defaults())) {
            System.out.printf("figure: the next %s after %d ms%n", other, (System.nanoTime() - begun) / 1_000_000);
            other.createDatabase("only_here");
        }
    }

    @Test
    void aRefusedSettingFailsTheStartWithTheServersOwnWords() {
        MariaDbOptions nonsense = MariaDbOptions.defaults().withSetting("no-such-option", "1");

        assertThatThrownBy(() -> MariaDbServer.start(nonsense))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("no-such-option");
    }
}
