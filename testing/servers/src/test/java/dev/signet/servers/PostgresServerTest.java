package dev.signet.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.servers.PostgresOptions.Authentication;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class PostgresServerTest extends ServerContract<PostgresServer> {

    @Override
    PostgresServer start() {
        return PostgresServer.start(PostgresOptions.defaults()
                .withSetting("work_mem", "1234kB")
                .withSetting("fsync", "on")
                .withAuthentication(Authentication.SCRAM));
    }

    @Override
    String lastWords() {
        return "database system is shut down";
    }

    private String show(String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl("postgres"));
                ResultSet row = connection.createStatement().executeQuery("SHOW " + name)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void itsSettingsAreThoseForTestsUnlessOthersAreAskedFor() throws SQLException {
        assertThat(show("work_mem")).isEqualTo("1234kB");
        assertThat(show("fsync")).isEqualTo("on");
        assertThat(show("max_connections")).isEqualTo("200");
        assertThat(show("server_encoding")).isEqualTo("UTF8");
        assertThat(show("lc_collate")).isEqualTo("C.UTF-8");
    }

    @Test
    void withScramOnlyTheRightPasswordLetsIn() throws SQLException {
        server.createUser("some-one", "Pass.word-1");

        DriverManager.getConnection(server.jdbcUrl("postgres", "some-one", "Pass.word-1"))
                .close();
        assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl("postgres", "some-one", "password")))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("password authentication failed");
    }

    @Test
    void withTrustAnyPasswordDoes() throws SQLException {
        DriverManager.getConnection(Servers.postgres().jdbcUrl("postgres", "postgres", "whatever"))
                .close();
    }

    @Test
    void aRefusedSettingFailsTheStartWithTheServersOwnWords() {
        PostgresOptions nonsense = PostgresOptions.defaults().withSetting("max_connections", "many");

        assertThatThrownBy(() -> PostgresServer.start(nonsense))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("invalid value for parameter \"max_connections\"");
    }
}
