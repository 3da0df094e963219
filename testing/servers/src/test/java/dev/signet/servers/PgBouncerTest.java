package dev.signet.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class PgBouncerTest {

    private static int process(Connection client) throws SQLException {
        try (Statement statement = client.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static boolean twoClientsShareAProcess(PgBouncer.Mode mode) throws SQLException {
        try (PgBouncer pooler = PgBouncer.before(Servers.postgres(), mode);
                Connection one = DriverManager.getConnection(pooler.jdbcUrl("postgres"));
                Connection two = DriverManager.getConnection(pooler.jdbcUrl("postgres"))) {
            return process(one) == process(two);
        }
    }

    @Test
    void inTransactionModeClientsThatRestShareAConnection() throws SQLException {
        assertThat(twoClientsShareAProcess(PgBouncer.Mode.TRANSACTION)).isTrue();
    }

    @Test
    void inSessionModeEachHasItsOwn() throws SQLException {
        assertThat(twoClientsShareAProcess(PgBouncer.Mode.SESSION)).isFalse();
    }
}
