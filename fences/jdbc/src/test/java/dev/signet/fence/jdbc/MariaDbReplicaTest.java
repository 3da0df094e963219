package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Ledger.NEW;
import static dev.signet.fence.jdbc.Ledger.OLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.servers.MariaDbOptions;
import dev.signet.servers.MariaDbServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A protected table on a server that has a replica. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class MariaDbReplicaTest {

    @ParameterizedTest
    @Timeout(120)
    @ValueSource(strings = {"MIXED", "ROW"})
    void replicaTakesWhatItsPrimaryTookAndRefusesEverybodyElse(String format) throws Exception {
        MariaDbOptions options = MariaDbOptions.defaults()
                .withSetting("log-bin", "binlog")
                .withSetting("binlog-format", format)
                .withSetting("log-bin-trust-function-creators", "ON");
        try (MariaDbServer primary = MariaDbServer.start(options.withSetting("server-id", "1"));
                MariaDbServer replica = MariaDbServer.start(options.withSetting("server-id", "2"))) {
            replica.execute("CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = " + primary.port()
                    + ", MASTER_USER = 'root', MASTER_USE_GTID = slave_pos");
            replica.execute("START SLAVE");
            try (MariaDbLedger ledger = MariaDbLedger.guarded(primary, new MariaDbDialect(MariaDbSite.OPTIONS))) {
                ledger.run(NEW, "UPDATE ledger SET amount = 2", "INSERT INTO ledger VALUES ('c', 1)");
                ledger.refused("STALE", OLD, "DELETE FROM ledger");
                try (Connection there = DriverManager.getConnection(replica.jdbcUrl(""))) {
                    awaitCaughtUp(primary, there);
                    GuardedLedger.execute(there, "USE " + ledger.database);
                    assertThat(Sql.text(there, "SELECT GROUP_CONCAT(what, ' ', amount ORDER BY what) FROM ledger"))
                            .contains("a 2,b 2,c 1");
                    assertThatThrownBy(() -> GuardedLedger.execute(there, "DELETE FROM ledger"))
                            .hasMessageContaining("signet: NO_STAMP: ");
                }
            }
        }
    }

    private static void awaitCaughtUp(MariaDbServer primary, Connection there) throws SQLException {
        String position;
        try (Connection connection = DriverManager.getConnection(primary.jdbcUrl(""))) {
            position = Sql.text(connection, "SELECT @@gtid_binlog_pos").orElseThrow();
        }
        String reached = Sql.text(
                        there,
                        "SELECT MASTER_GTID_WAIT('" + position + "', "
                                + Duration.ofSeconds(60).toSeconds() + ")")
                .orElseThrow();
        assertThat(reached).as(() -> slave(there)).isEqualTo("0");
    }

    private static String slave(Connection there) {
        try (var statement = there.createStatement();
                var row = statement.executeQuery("SHOW SLAVE STATUS")) {
            row.next();
            return Map.of("io", "" + row.getString("Last_IO_Error"), "sql", "" + row.getString("Last_SQL_Error"))
                    .toString();
        } catch (SQLException e) {
            return e.toString();
        }
    }
}
