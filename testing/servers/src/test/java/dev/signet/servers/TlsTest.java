package dev.signet.servers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class TlsTest {

    @Test
    void postgresWithTlsIsKnownByItsAuthorityAndRefusesPlainConnections() throws SQLException {
        try (PostgresServer server =
                        PostgresServer.start(PostgresOptions.defaults().withTransport(Transport.TLS));
                PostgresServer other = server.replica(PostgresServer.Replication.ASYNCHRONOUS)) {
            isKnownByItsAuthorityOnly(server.jdbcUrl("postgres"), server.authority(), other.authority());
            isKnownByItsAuthorityOnly(other.jdbcUrl("postgres"), other.authority(), server.authority());
            refuses(server.jdbcUrl("postgres"), url -> url.replace("sslmode=verify-full", "sslmode=disable"));
        }
    }

    @Test
    void mariaDbWithTlsIsKnownByItsAuthorityAndRefusesPlainConnections() throws SQLException {
        MariaDbOptions options = MariaDbOptions.defaults().withTransport(Transport.TLS);
        try (MariaDbServer server = MariaDbServer.start(options);
                MariaDbServer other = MariaDbServer.start(options)) {
            isKnownByItsAuthorityOnly(server.jdbcUrl("mysql"), server.authority(), other.authority());
            refuses(server.jdbcUrl("mysql"), url -> url.replace("sslMode=verify-full", "sslMode=disable"));
        }
    }

    private static void isKnownByItsAuthorityOnly(String url, Path authority, Path other) throws SQLException {
        DriverManager.getConnection(url).close();
        DriverManager.getConnection(url.replace("127.0.0.1", "localhost")).close();
        refuses(url, right -> right.replace(authority.toString(), other.toString()));
    }

    private static void refuses(String url, Function<String, String> change) {
        assertThatThrownBy(() -> DriverManager.getConnection(change.apply(url))).isInstanceOf(SQLException.class);
    }

    @Test
    void withoutTlsThereIsNoAuthority() {
        assertThatThrownBy(Servers.postgres()::authority).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(Servers.mariaDb()::authority).isInstanceOf(IllegalStateException.class);
    }
}
