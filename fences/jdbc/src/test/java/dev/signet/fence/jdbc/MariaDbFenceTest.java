package dev.signet.fence.jdbc;

import static dev.signet.testkit.FenceStamps.LEDGER;
import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static dev.signet.testkit.FenceStamps.ROLE;
import static dev.signet.testkit.FenceStamps.STORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.signet.Answer;
import dev.signet.FenceException;
import dev.signet.FenceException.Outcome;
import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.WriteRefusedException;
import dev.signet.fence.jdbc.MariaDbSite.User;
import dev.signet.servers.MariaDbServer;
import dev.signet.servers.Servers;
import dev.signet.testkit.FenceWriter;
import dev.signet.testkit.IsolationLevel;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.mariadb.jdbc.MariaDbDataSource;

/** What is MariaDB's own, and the limits that the page on this fence states. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class MariaDbFenceTest {

    private static final Duration SOON = Duration.ofMillis(300);
    private static final Duration LATER = Duration.ofSeconds(20);

    private final MariaDbSite site = MariaDbSite.of(User.OWNER, MariaDbDialect::new);

    @AfterEach
    void close() {
        site.close();
    }

    private void begin() {
        site.init(LEDGER, ROLE, STORE);
        seal(OLD);
    }

    private void seal(Stamp stamp) {
        assertThat(answer(stamp, LATER)).isInstanceOf(Answer.Done.class);
    }

    private Answer<?, ?> answer(Stamp stamp, Duration timeout) {
        return site.fence.seal(stamp, timeout).toCompletableFuture().join();
    }

    private JdbcFence fence(MariaDbDataSource source) {
        return JdbcFence.open(source, LEDGER, MariaDbSite.OPTIONS);
    }

    private static void execute(Connection connection, String sql) {
        JdbcSite.asking(() -> {
            MariaDb.execute(connection, sql);
            return "";
        });
    }

    @Test
    void writersOfOneTermGoSideBySide() {
        begin();
        try (FenceWriter one = site.begin(IsolationLevel.REPEATABLE_READ);
                FenceWriter other = site.begin(IsolationLevel.REPEATABLE_READ)) {
            one.check(OLD);
            other.check(OLD);
            one.write("one", OLD);
            other.write("other", OLD);
            one.check(OLD);
            other.check(OLD);
            one.commit();
            other.commit();
        }
        assertThat(site.rows()).containsExactlyInAnyOrder("one", "other");
    }

    @Test
    void workIsToldThatItsDdlWouldCommit() {
        begin();
        for (String sql : List.of(
                "CREATE TABLE x (i INT)",
                " /* now */ drop table ledger",
                "# note\nTRUNCATE ledger",
                "alter table ledger add y int",
                "SET autocommit = 1",
                "SET SESSION sql_mode = '', autocommit = 1",
                "set @@session.autocommit=1",
                "LOCK TABLES ledger WRITE",
                "XA START 'x'")) {
            assertThatThrownBy(() -> site.fence.inTransaction(OLD, connection -> {
                        MariaDb.execute(connection, sql);
                        return "";
                    }))
                    .as(sql)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("would end it");
        }
        site.fence.inTransaction(OLD, connection -> {
            execute(connection, "CREATE TEMPORARY TABLE mine (i INT)");
            execute(connection, "INSERT INTO mine VALUES (1)");
            execute(connection, "DROP TEMPORARY TABLE mine");
            return "";
        });
    }

    @Test
    void afterADeadlockTheWorkWritesNothingMore() throws Exception {
        begin();
        site.execute("INSERT INTO ledger (id, what) VALUES (1, 'x'), (2, 'y')");
        JdbcFence patient = JdbcFence.open(site.source, LEDGER);
        Throwable failed = catchThrowable(() -> patient.inTransaction(OLD, connection -> {
            execute(connection, "UPDATE ledger SET amount = 1 WHERE id = 1");
            try (Connection other = site.source.getConnection()) {
                other.setAutoCommit(false);
                // the other has done more, so that InnoDB takes this one back
                execute(other, "INSERT INTO ledger (what) VALUES ('p'), ('q'), ('r'), ('s'), ('t')");
                execute(other, "UPDATE ledger SET amount = 2 WHERE id = 2");
                Thread waits = new Thread(() -> execute(other, "UPDATE ledger SET amount = 2 WHERE id = 1"));
                waits.start();
                Thread.sleep(300);
                assertThat(catchThrowable(() -> execute(connection, "UPDATE ledger SET amount = 1 WHERE id = 2")))
                        .hasMessageContaining("Deadlock");
                waits.join();
                other.rollback();
            }
            assertThat(catchThrowable(() -> execute(connection, "INSERT INTO ledger (what) VALUES ('late')")))
                    .hasMessageContaining("nothing more is written");
            return "";
        }));
        patient.close();
        assertThat(failed).isInstanceOf(FenceException.class);
        assertThat(site.rows()).containsExactlyInAnyOrder("x", "y");
    }

    @Test
    void whoMayNotMakeTablesSealsAndChecksAllTheSame() {
        begin();
        MariaDbServer server = Servers.mariaDb();
        String database = site.database();
        String user = "least" + database;
        server.createUser(user, "secret");
        server.execute("GRANT SELECT ON " + database + ".signet_fence_layout TO " + user);
        server.execute("GRANT SELECT, INSERT, UPDATE ON " + database + ".signet_fence TO " + user);
        server.execute("GRANT SELECT, INSERT ON " + database + ".ledger TO " + user);
        MariaDbDataSource source =
                JdbcSite.asking(() -> new MariaDbDataSource(server.jdbcUrl(database, user, "secret")));
        try (JdbcFence fence = fence(source);
                JdbcFence more = JdbcFence.open(source, ResourceName.of("more"))) {
            fence.init(ROLE, STORE);
            more.init(ROLE, STORE);
            assertThat(fence.seal(NEW, LATER).toCompletableFuture().join()).isInstanceOf(Answer.Done.class);
            fence.inTransaction(NEW, connection -> {
                new JdbcWriter(fence, connection).write("least", NEW);
                return "";
            });
            assertThat(site.rows()).containsExactly("least");
        }
    }

    @Test
    void newerLayoutAndForeignTablesAreRefused() {
        site.execute("CREATE TABLE signet_fence (mine INT)");
        assertThatThrownBy(() -> site.fence.init(ROLE, STORE)).hasMessageContaining("that Signet did not make");
        site.execute("DROP TABLE signet_fence");
        begin();
        site.execute("UPDATE signet_fence_layout SET version = 2");
        assertThatThrownBy(() -> site.fence.init(ROLE, STORE)).hasMessageContaining("version 2");
        assertThat(answer(NEW, LATER).toString()).contains("version 2");
        site.execute("UPDATE signet_fence_layout SET version = 1");
        site.execute("ALTER TABLE signet_fence ENGINE = Aria");
        assertThat(answer(NEW, LATER).toString()).contains("engine aria");
    }

    @Test
    void initThatWasCutShortGoesOn() {
        site.execute("CREATE TABLE signet_fence_layout (version BIGINT NOT NULL PRIMARY KEY) ENGINE = InnoDB");
        begin();
    }

    @Test
    void driverThatCountsChangedRowsMakesNoDifference() {
        begin();
        for (String options : List.of("useAffectedRows=true", "useServerPrepStmts=true")) {
            MariaDbDataSource source = JdbcSite.asking(() -> new MariaDbDataSource(site.url() + "&" + options));
            try (JdbcFence fence = fence(source)) {
                for (int i = 0; i < 2; i++) {
                    assertThat(fence.seal(NEW, LATER).toCompletableFuture().join())
                            .as(options)
                            .isInstanceOf(Answer.Done.class);
                }
                fence.inTransaction(NEW, connection -> "");
            }
        }
    }

    /** Snapshot isolation, as newer servers have it by default: a check behind a seal is to be made again. */
    @Test
    void snapshotThatIsOlderThanTheSealIsRetried() {
        begin();
        try (JdbcWriter old = (JdbcWriter) site.begin(IsolationLevel.REPEATABLE_READ)) {
            old.execute("SET SESSION innodb_snapshot_isolation = ON");
            old.read();
            seal(NEW);
            FenceException retry = catchThrowableOfType(FenceException.class, () -> old.check(OLD));
            assertThat(retry.outcome()).isEqualTo(Outcome.RETRY);
            old.rollback();
            assertThatThrownBy(() -> old.check(OLD)).isInstanceOf(WriteRefusedException.class);
        }
    }

    /** Why a check refuses XA: its lock is shared, and does not outlive the preparation. */
    @Test
    void xaPrepareGivesTheSharedLockBack() {
        begin();
        JdbcWriter old = (JdbcWriter) site.beginToPrepare(IsolationLevel.REPEATABLE_READ);
        old.execute(new MariaDbDialect(MariaDbSite.OPTIONS).lockedSelect().replace("?", "'ledger'"));
        old.write("stale", OLD);
        assertThat(answer(NEW, SOON)).isInstanceOf(Answer.Unknown.class);
        Runnable commit = old.prepare();
        old.close();
        seal(NEW);
        commit.run();
        assertThat(site.rows()).containsExactly("stale");
    }

    /** A limit. */
    @Test
    void writesToTablesWithoutTransactionsStay() {
        begin();
        site.execute("CREATE TABLE journal (what VARCHAR(100)) ENGINE = Aria");
        seal(NEW);
        try (JdbcWriter old = (JdbcWriter) site.begin(IsolationLevel.REPEATABLE_READ)) {
            old.execute("INSERT INTO journal VALUES ('stale')");
            assertThatThrownBy(() -> old.check(OLD)).isInstanceOf(WriteRefusedException.class);
        }
        assertThat(JdbcSite.asking(() -> {
                    try (Connection connection = site.source.getConnection()) {
                        return MariaDb.text(connection, "SELECT what FROM journal");
                    }
                }))
                .contains("stale");
    }

    /** A limit: BEGIN as SQL, on a connection whose autocommit is off already. */
    @Test
    void savepointRightAfterABeginInSqlIsNotSeen() {
        begin();
        try (JdbcWriter old = (JdbcWriter) site.begin(IsolationLevel.REPEATABLE_READ)) {
            old.execute("BEGIN");
            old.execute("SAVEPOINT first");
            old.check(OLD);
            old.execute("ROLLBACK TO first");
            seal(NEW);
            old.write("stale", OLD);
            old.commit();
        }
        assertThat(site.rows()).containsExactly("stale");
    }

    @Test
    void poolWithAutocommitOffGetsItBackSo() throws Exception {
        begin();
        try (Connection only = site.source.getConnection()) {
            only.setAutoCommit(false);
            try (JdbcFence fence = new JdbcFence(new OneConnection(only), LEDGER, MariaDbSite.OPTIONS, null)) {
                assertThat(fence.seal(NEW, LATER).toCompletableFuture().join()).isInstanceOf(Answer.Done.class);
                assertThat(only.getAutoCommit()).isFalse();
            }
        }
        assertThatThrownBy(() -> site.fence.inTransaction(OLD, connection -> ""))
                .isInstanceOf(WriteRefusedException.class);
    }
}
