package dev.signet.fence.jdbc;

import static dev.signet.testkit.FenceStamps.LEDGER;
import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static dev.signet.testkit.FenceStamps.stamp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.signet.FenceException;
import dev.signet.Stamp;
import dev.signet.TermEndedException;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Refusal;
import dev.signet.servers.PostgresServer;
import dev.signet.servers.PostgresServer.Replication;
import dev.signet.servers.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.postgresql.ds.PGSimpleDataSource;

/** A server that takes over for another does not know what it has missed. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class PostgresFailoverTest {

    /** Leads to wherever the application is sent. */
    private static final class Switch extends PGSimpleDataSource {

        private static final long serialVersionUID = 1L;

        void to(String url) {
            setUrl(url);
        }
    }

    private static JdbcSite site(DataSource source, String ledger) {
        return new JdbcSite(
                source,
                new PostgresDialect(PostgresSite.LONGEST_IDLE),
                JdbcFenceOptions.DEFAULTS,
                ledger,
                PostgresSite.LONGEST_IDLE,
                () -> {});
    }

    private static Refusal refusal(JdbcFence fence, Stamp stamp) {
        WriteRefusedException refused =
                catchThrowableOfType(WriteRefusedException.class, () -> write(fence, stamp, "refused"));
        assertThat(refused).as("a write with %s", stamp).isNotNull();
        return refused.refusal();
    }

    private static void write(JdbcFence fence, Stamp stamp, String what) throws SQLException {
        fence.inTransaction(stamp, connection -> {
            JdbcStories.insert(connection, what);
            return "";
        });
    }

    private static void write(JdbcFence fence, FakeTerm term, String what) throws SQLException {
        fence.inTransaction(term, connection -> {
            JdbcStories.insert(connection, what);
            return "";
        });
    }

    @Test
    void theSealThatWasLostWithThePrimaryIsMadeAgain() throws Exception {
        try (PostgresServer primary = PostgresServer.start(PostgresSite.OPTIONS);
                Proxy between = Proxy.to(primary)) {
            String url = primary.createDatabase("ledger");
            Switch toWhoever = new Switch();
            toWhoever.to(url);
            try (JdbcSite site = site(toWhoever, PostgresSite.LEDGER).sealed();
                    PostgresServer standby = primary.replica(Replication.ASYNCHRONOUS, between)) {
                write(site.fence, OLD, "by the old");
                awaitRow(standby.jdbcUrl("ledger"), "by the old");

                between.blackHole(); // what the standby never hears of
                site.seal(NEW);
                write(site.fence, NEW, "lost");
                primary.kill();
                standby.promote();
                toWhoever.to(standby.jdbcUrl("ledger"));

                JdbcFence zombie = site.fence(toWhoever, LEDGER);
                assertThat(refusal(zombie, OLD))
                        .as("though its seal is the last there")
                        .isEqualTo(Refusal.UNSEALED);
                assertThat(refusal(site.fence, NEW))
                        .as("a stamp alone heals nothing")
                        .isEqualTo(Refusal.UNSEALED);
                try (Connection own = toWhoever.getConnection()) {
                    own.setAutoCommit(false);
                    assertThatThrownBy(() -> site.fence.check(own, NEW)).isInstanceOf(WriteRefusedException.class);
                }
                FakeTerm over = new FakeTerm(NEW);
                over.valid = false;
                assertThatThrownBy(() -> write(site.fence, over, "over")).isInstanceOf(TermEndedException.class);
                assertThatThrownBy(() -> write(zombie, new FakeTerm(NEW), "not sealed by this"))
                        .isInstanceOf(WriteRefusedException.class);

                AtomicInteger runs = new AtomicInteger();
                site.fence.inTransaction(new FakeTerm(NEW), connection -> {
                    JdbcStories.insert(connection, "once more");
                    return runs.incrementAndGet();
                });
                assertThat(runs).hasValue(1);
                assertThat(refusal(zombie, OLD)).isEqualTo(Refusal.STALE);
                write(site.fence, NEW, "and on");
                assertThat(site.rows()).containsExactly("by the old", "once more", "and on");
                assertThat(site.fence.refusals()).containsEntry(Refusal.UNSEALED, 2L);
            }
        }
    }

    @Test
    void whoeverWasSucceededMeanwhileDoesNotSealAgain() throws Exception {
        try (PostgresServer server = PostgresServer.start(PostgresSite.OPTIONS);
                JdbcSite site = PostgresSite.of(server, new PostgresDialect(PostgresSite.LONGEST_IDLE))
                        .sealed()) {
            site.execute("UPDATE signet_fence SET place = 'elsewhere'");
            FakeTerm ending = new FakeTerm(OLD) {
                private final AtomicInteger asked = new AtomicInteger();

                @Override
                public boolean isValid() {
                    return asked.incrementAndGet() < 2; // it ends while it is refused
                }
            };
            assertThatThrownBy(() -> write(site.fence, ending, "over")).isInstanceOf(TermEndedException.class);
            site.fence(site.source, LEDGER)
                    .seal(NEW, JdbcSite.LATER)
                    .toCompletableFuture()
                    .join();
            site.execute("UPDATE signet_fence SET place = 'elsewhere', max_token = 9");
            assertThat(refusal(site.fence, stamp(10))).isEqualTo(Refusal.UNSEALED);
            assertThatThrownBy(() -> write(site.fence, new FakeTerm(OLD), "late"))
                    .isInstanceOf(WriteRefusedException.class)
                    .hasMessageContaining("STALE");
            assertThat(site.rows()).isEmpty();
        }
    }

    @Test
    void aRestartChangesNothingAndAfterARestoreNobodyWritesUntilTheTermSealsAgain() throws Exception {
        try (PostgresServer server = PostgresServer.start(PostgresSite.OPTIONS)) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(server.createDatabase("ledger"));
            try (JdbcSite site = site(source, PostgresSite.LEDGER).sealed()) {
                Runnable restore = server.backUp("ledger");
                site.seal(NEW);
                write(site.fence, NEW, "a");
                server.restart();
                write(site.fence, NEW, "b");
                server.kill();
                server.restart();
                write(site.fence, NEW, "c");

                restore.run();
                assertThat(site.rows()).isEmpty();
                assertThat(refusal(site.fence, NEW)).isEqualTo(Refusal.UNSEALED);
                assertThat(refusal(site.fence, OLD))
                        .as("though its seal is the last in the backup")
                        .isEqualTo(Refusal.UNSEALED);
                write(site.fence, new FakeTerm(NEW), "after the restore");
                assertThat(refusal(site.fence, OLD)).isEqualTo(Refusal.STALE);
            }
        }
    }

    @Test
    void aReplicaIsRefusedWithWhatToDo() throws Exception {
        try (PostgresServer primary = PostgresServer.start(PostgresSite.OPTIONS)) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(primary.createDatabase("ledger"));
            try (JdbcSite site = site(source, PostgresSite.LEDGER).sealed();
                    PostgresServer replica = primary.replica(Replication.ASYNCHRONOUS)) {
                awaitRow(replica.jdbcUrl("ledger"), null);
                PGSimpleDataSource there = new PGSimpleDataSource();
                there.setUrl(replica.jdbcUrl("ledger"));
                JdbcFence fence = site.fence(there, LEDGER);
                assertThat(fence.seal(NEW, JdbcSite.LATER)
                                .toCompletableFuture()
                                .join()
                                .toString())
                        .contains("replica", "name the primary");
                assertThatThrownBy(() -> write(fence, OLD, "a"))
                        .isInstanceOf(FenceException.class)
                        .hasMessageContaining("name the primary");
                assertThat(site.rows()).isEmpty();
            }
        }
    }

    private static void awaitRow(String url, String what) throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        Deadline deadline = Deadline.in(JdbcSite.LATER);
        while (!deadline.hasPassed()) {
            try (Connection connection = source.getConnection()) {
                List<String> rows = Sqlite.texts(connection, "SELECT what FROM ledger");
                if (what == null || rows.contains(what)) {
                    return;
                }
            }
        }
        throw new AssertionError("not replicated");
    }
}
