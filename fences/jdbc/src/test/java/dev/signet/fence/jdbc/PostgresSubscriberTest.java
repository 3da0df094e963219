package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Ledger.NEW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.servers.PostgresOptions;
import dev.signet.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A protected table that is filled by a subscription to another server: what is received carries no stamp. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class PostgresSubscriberTest {

    @Test
    @Timeout(120)
    void whatIsReceivedIsRefusedUntilTheTableIsUnprotected() throws Exception {
        PostgresOptions logical = PostgresOptions.defaults().withSetting("wal_level", "logical");
        try (PostgresServer publisher = PostgresServer.start(logical);
                PostgresServer subscriber =
                        PostgresServer.start(logical.withSetting("wal_retrieve_retry_interval", "200ms"));
                EnforcedLedger ledger =
                        EnforcedLedger.guarded(subscriber, new PostgresDialect(PostgresSite.LONGEST_IDLE));
                Connection there = DriverManager.getConnection(publisher.createDatabase("published"))) {
            GuardedLedger.execute(there, "CREATE TABLE ledger (what text PRIMARY KEY, amount bigint)");
            GuardedLedger.execute(there, "CREATE PUBLICATION ledgers FOR TABLE ledger");
            ledger.run("CREATE SUBSCRIPTION ledgers CONNECTION 'host=127.0.0.1 port=" + publisher.port()
                    + " user=postgres dbname=published' PUBLICATION ledgers WITH (copy_data = false)");
            GuardedLedger.execute(there, "INSERT INTO ledger VALUES ('received', 1)");

            await(ledger, "SELECT count(*) FROM pg_stat_subscription_stats WHERE apply_error_count > 1");
            assertThat(subscriber.log()).contains("ERROR:  signet: NO_STAMP: a write to resource ledger");
            assertThat(ledger.content()).isEqualTo("a 1, b 1");
            assertThat(Postgres.text(there, "SELECT count(*) FROM pg_replication_slots WHERE slot_name = 'ledgers'"))
                    .as("which keeps all that was not taken")
                    .isEqualTo("1");
            ledger.run(NEW, "INSERT INTO ledger VALUES ('written here', 1)");

            ledger.fence.unprotect("ledger");
            await(ledger, "SELECT count(*) FROM ledger WHERE what = 'received'");
        }
    }

    private static void await(EnforcedLedger ledger, String count) throws SQLException, InterruptedException {
        while (!ledger.text(count).equals("1")) {
            Thread.sleep(50);
        }
    }
}
