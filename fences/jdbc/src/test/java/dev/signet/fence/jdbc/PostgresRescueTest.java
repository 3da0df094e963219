package dev.signet.fence.jdbc;

import static dev.signet.testkit.FenceStamps.LEDGER;
import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static dev.signet.testkit.FenceStamps.ROLE;
import static dev.signet.testkit.FenceStamps.STORE;
import static dev.signet.testkit.FenceStamps.stamp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.signet.Answer;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.servers.PostgresServer;
import dev.signet.testkit.FenceWriter;
import dev.signet.testkit.IsolationLevel;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A seal that is held up on PostgreSQL. No transaction is ended for its idleness here. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class PostgresRescueTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SOME = Duration.ofSeconds(3);

    private final PostgresServer server = PostgresSite.server();
    private final HeldUpsHeard heldUps = new HeldUpsHeard();

    private static Dialect dialect() {
        return new PostgresDialect(Duration.ofHours(1));
    }

    private JdbcSite told(JdbcSite site) {
        site.sealed();
        site.fence.onHeldUp(heldUps);
        return site;
    }

    private static boolean sealed(JdbcSite site, Stamp stamp, Duration timeout) {
        return site.fence.seal(stamp, timeout).toCompletableFuture().join() instanceof Answer.Done;
    }

    @Test
    void writerThatStandsStillIsEndedAndTold() throws Exception {
        try (JdbcSite site = told(PostgresSite.of(server, dialect()));
                FenceWriter old = site.begin(IsolationLevel.REPEATABLE_READ)) {
            old.check(OLD);
            old.write("late", OLD);
            assertThat(sealed(site, NEW, Duration.ofSeconds(8))).isTrue();
            assertThat(catchThrowable(old::commit)).isNotNull();
            assertThat(site.rows()).isEmpty();
            assertThat(heldUps.only()).satisfies(heldUp -> {
                assertThat(heldUp.resource()).isEqualTo(LEDGER);
                assertThat(heldUp.ended()).isTrue();
                assertThat(heldUp.blocker())
                        .contains("of postgres from 127.0.0.1", "idle in transaction for")
                        .doesNotContain("INSERT");
            });
        }
    }

    /** As one may who reads the row by hand. */
    @Test
    void whoHasLockedTheRowIsEnded() throws Exception {
        try (JdbcSite site = told(PostgresSite.of(server, dialect()));
                Connection byHand = site.source.getConnection()) {
            byHand.setAutoCommit(false);
            JdbcStories.execute(byHand, "SELECT 1 FROM signet_fence FOR SHARE");
            assertThat(sealed(site, NEW, Duration.ofSeconds(8))).isTrue();
            assertThat(heldUps.only()).matches(HeldUp::ended);
        }
    }

    @Test
    void whoMayNotEndItIsToldWhichRightItTakes() throws Exception {
        try (JdbcSite site = told(PostgresSite.ofOwner(server, dialect()));
                Connection superuser = DriverManager.getConnection(server.jdbcUrl(site.source
                        .unwrap(org.postgresql.ds.PGSimpleDataSource.class)
                        .getDatabaseName()))) {
            superuser.setAutoCommit(false);
            site.fence.check(superuser, OLD);
            assertThat(sealed(site, NEW, SOME)).isFalse();
            superuser.commit();
            assertThat(heldUps.only()).satisfies(heldUp -> {
                assertThat(heldUp.ended()).isFalse();
                assertThat(heldUp.blocker()).contains("of postgres");
                assertThat(heldUp.why()).contains("pg_signal_backend");
            });
            assertThat(sealed(site, NEW, LONG)).isTrue();
        }
    }

    @Test
    void nobodyIsEndedForASealThatIsRefusedOrRaisesNothing() {
        try (JdbcSite site = told(PostgresSite.of(server, dialect()));
                FenceWriter own = site.begin(IsolationLevel.REPEATABLE_READ)) {
            own.check(OLD);
            for (Stamp none : List.of(
                    OLD, stamp(6), stamp(9_000_000), new Stamp(Role.of("other"), NEW.token(), NEW.termId(), STORE))) {
                assertThat(sealed(site, none, Duration.ofSeconds(1))).isFalse();
            }
            own.write("kept", OLD);
            own.commit();
            assertThat(site.rows()).containsExactly("kept");
            heldUps.areNone();
        }
    }

    /** Another seal and another writer wait as well, and a writer of another resource goes on. */
    @Test
    void whoOnlyWaitsAndWhoWritesElsewhereGoOn() throws Exception {
        ResourceName elsewhere = ResourceName.of("elsewhere");
        try (JdbcSite site = told(PostgresSite.of(server, dialect()));
                JdbcFence other = site.fence(site.source, elsewhere);
                Connection beside = site.source.getConnection();
                FenceWriter old = site.begin(IsolationLevel.READ_COMMITTED);
                FenceWriter late = site.begin(IsolationLevel.READ_COMMITTED)) {
            other.init(ROLE, STORE);
            assertThat(other.seal(OLD, LONG).toCompletableFuture().join()).isInstanceOf(Answer.Done.class);
            beside.setAutoCommit(false);
            other.check(beside, OLD);
            old.check(OLD);
            JdbcFence patient = site.fence(site.source, LEDGER);
            var first = patient.seal(stamp(9), Duration.ofSeconds(60)).toCompletableFuture();
            untilWaiting(site, 1);
            var waits = CompletableFuture.supplyAsync(() -> catchThrowable(() -> late.check(stamp(9))));
            untilWaiting(site, 2);
            var second = site.fence.seal(stamp(10), Duration.ofSeconds(6)).toCompletableFuture();
            assertThat(first.get()).isInstanceOf(Answer.Done.class);
            assertThat(waits.get()).as("whoever waited behind the first seal").isNull();
            late.write("in between", stamp(9));
            late.commit();
            assertThat(second.get()).isInstanceOf(Answer.Done.class);
            JdbcStories.insert(beside, "beside");
            beside.commit();
            assertThat(site.rows()).containsExactlyInAnyOrder("in between", "beside");
            assertThat(heldUps.only()).matches(HeldUp::ended);
        }
    }

    /** For locks of this database. */
    private static void untilWaiting(JdbcSite site, int number) throws SQLException {
        long begun = System.nanoTime();
        try (Connection connection = site.source.getConnection()) {
            while (!Postgres.text(
                            connection,
                            "SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database WHERE NOT granted"
                                    + " AND d.datname = current_database()")
                    .equals("" + number)) {
                assertThat(System.nanoTime() - begun).isLessThan(LONG.toNanos());
            }
        }
    }

    /** What JdbcFence checks cannot be prepared; by hand and without its precaution it can. */
    @Test
    void preparedTransactionIsReportedByItsName() throws Exception {
        try (JdbcSite site = told(PostgresSite.of(server, dialect()))) {
            try (Connection byHand = site.source.getConnection();
                    Statement statement = byHand.createStatement()) {
                byHand.setAutoCommit(false);
                statement.execute(
                        "SELECT signet_admit('ledger', 7, '" + OLD.termId().secret() + "')");
                JdbcStories.insert(byHand, "prepared");
                statement.execute("PREPARE TRANSACTION 'left-behind'");
            }
            assertThat(sealed(site, NEW, SOME)).isFalse();
            assertThat(heldUps.only()).satisfies(heldUp -> {
                assertThat(heldUp.blocker()).contains("'left-behind'", "ROLLBACK PREPARED");
                assertThat(heldUp.ended()).isFalse();
                assertThat(heldUp.why()).contains("an operator resolves it");
            });
            site.execute("COMMIT PREPARED 'left-behind'");
            assertThat(sealed(site, NEW, LONG)).isTrue();
            assertThat(site.rows()).containsExactly("prepared");
        }
    }
}
